import type { Machine } from "../measure/machine.ts";
import type { SizeResult } from "../measure/measure-size.ts";
import { formatSize } from "./format-size.ts";
import { formatGoals } from "./goals.ts";
import { formatGrowth } from "./growth.ts";
import { toRows } from "./medians.ts";

/** Everything as text: each size, the growth from the smallest to the largest, the goals. */
export function formatReport(results: readonly SizeResult[], machine: Machine): string {
  const { at, node, processor, cores, memoryGb } = machine;
  const bySize = results.toSorted((a, b) => a.places - b.places);
  const [smallest, largest] = [bySize[0]!, bySize.at(-1)!];
  const growth =
    bySize.length > 1 && largest.runs.length > 0
      ? [
          `# Growth from ${smallest.places.toLocaleString("en")} to ${largest.places.toLocaleString("en")} places`,
          formatGrowth(toRows(smallest.runs), toRows(largest.runs)),
        ]
      : [];
  const where = `${at}, Node ${node}, ${cores} cores (${processor}), ${memoryGb} GB`;
  return [where, ...results.map(formatSize), ...growth, ...formatGoals(results)].join("\n\n");
}

import type { Source } from "../sources/open-sources.ts";
import { formatCount } from "../format.ts";

/** Enough to see whether the right ones are among them. */
const MAX_NAMES = 5;

/** What is about to be read, line by line while these are few. */
export function describeSources(sources: readonly Source[]): string {
  const lines = sources
    .slice(0, MAX_NAMES)
    .map(({ input, format }) => `Reading ${input.name} (${format}).\n`);
  const more = sources.length - MAX_NAMES;
  return lines.join("") + (more > 0 ? `Reading ${formatCount(more)} more files.\n` : "");
}

/** The files of directories that are left out. */
export function describeIgnored(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMES).join(", ");
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : "";
  return `Left out, since they are of no known format: ${named}${more}.\n`;
}

/** The branches that all of Foursquare's category labels begin with. */
const ROOTS = [
  "Arts and Entertainment",
  "Business and Professional Services",
  "Community and Government",
  "Dining and Drinking",
  "Event",
  "Health and Medicine",
  "Landmarks and Outdoors",
  "Retail",
  "Sports and Recreation",
  "Travel and Transportation",
];

/** Labels hold commas of their own, so the next one is known by how it begins. */
const NEXT_LABEL = new RegExp(`,\\s*(?=["']?(?:${ROOTS.join("|")})(?: >|["']|$))`);

const QUOTES = /^["']|["']$/g;

/**
 * A list of labels in a cell of a CSV, where every tool writes lists in its own way: JSON, DuckDB's `[a, b]`, Python's
 * `['a', 'b']`, the braces of PostgreSQL, or labels alone.
 */
export function parseLabels(cell: string): string[] {
  const json = parseJsonList(cell);
  if (json) return json;
  return cell
    .trim()
    .replace(/^[[{]/, "")
    .replace(/[\]}]$/, "")
    .split(NEXT_LABEL)
    .map((label) => label.trim().replaceAll(QUOTES, ""))
    .filter((label) => label !== "");
}

function parseJsonList(cell: string): string[] | undefined {
  if (!cell.trimStart().startsWith("[")) return undefined;
  try {
    const values = JSON.parse(cell) as unknown[];
    return values.filter((value) => typeof value === "string");
  } catch {
    return undefined;
  }
}

/** Flags are single words. */
export const parseFlags = (cell: string): string[] => cell.match(/[a-z_]+/g) ?? [];

const DECIMAL = /^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/;

/** A coordinate; the text itself when it is none, for the report. */
export const parseCoordinate = (cell: string): number | string => (DECIMAL.test(cell) ? Number(cell) : cell);

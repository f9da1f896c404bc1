/** `12,345`; with what is counted, `12,345 places` and `1 place`. */
export function formatCount(count: number, thing?: string): string {
  const number = count.toLocaleString("en");
  return thing === undefined ? number : `${number} ${thing}${count === 1 ? "" : "s"}`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];
const STEP = 1_000;

/** `1.2 GB` */
export function formatBytes(bytes: number): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was, in its largest unit: `3 days ago`. */
export function formatAge(milliseconds: number): string {
  const [unitMs, unit] =
    milliseconds >= 2 * DAY_MS
      ? [DAY_MS, "days"]
      : milliseconds >= 2 * HOUR_MS
        ? [HOUR_MS, "hours"]
        : [MINUTE_MS, "minutes"];
  const count = Math.floor(Math.max(0, milliseconds) / unitMs);
  return count === 0 ? "just now" : `${count} ${count === 1 ? unit.slice(0, -1) : unit} ago`;
}

/** `2026-11-20 09:03 UTC` */
export const formatTime = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** `1 min 5 s`, rounded up to whole seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

interface TableOptions {
  /** So many columns are aligned to the left, the others to the right. */
  readonly leftColumns?: number;
  /** Dashes between the header and the rows. */
  readonly hasRule?: boolean;
}

/** Rows of texts as lines with aligned columns, two spaces apart, without trailing spaces. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { leftColumns = 1, hasRule = true }: TableOptions = {},
): string {
  const widths = header.map((heading, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), heading.length),
  );
  const toLine = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return column < leftColumns ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  const rule = hasRule ? [widths.map((width) => "-".repeat(width)).join("  ")] : [];
  return [toLine(header), ...rule, ...rows.map(toLine)].join("\n");
}

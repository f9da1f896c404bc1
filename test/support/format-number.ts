/** Formats a number with as many decimals as are meaningful; an empty text for a missing one. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

export const formatMegabytes = (kilobytes: number): string => formatNumber(kilobytes / 1024);

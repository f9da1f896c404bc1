/** Replaces the caller's key in a copied command. */
const PLACEHOLDER = "$HEREABOUTS_KEY";

/**
 * The request as a shell command. Without a key to show, it uses a variable, which works in double quotes.
 */
export function toCurl(url: string, shownKey: string | undefined): string {
  const header = shownKey === undefined ? `"x-api-key: ${PLACEHOLDER}"` : quote(`x-api-key: ${shownKey}`);
  return `curl -s -H ${header} ${quote(url)}`;
}

/** Shows the id of a key and hides its secret. */
export function maskKey(key: string): string {
  const visible = /^hab_[a-z0-9]{1,12}_/i.exec(key)?.[0] ?? "";
  return `${visible}${"•".repeat(8)}`;
}

/** In single quotes, a shell interprets nothing. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

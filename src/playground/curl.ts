/** What a copied command says instead of a key of somebody's own. */
const PLACEHOLDER = "$HEREABOUTS_KEY";

/** The request as a command for a shell. Without a key to show it names a variable, which double quotes fill in. */
export function toCurl(url: string, shownKey: string | undefined): string {
  const header = shownKey === undefined ? `"x-api-key: ${PLACEHOLDER}"` : quote(`x-api-key: ${shownKey}`);
  return `curl -s -H ${header} ${quote(url)}`;
}

/** The first letters tell keys apart; the rest is nobody's business. */
export function maskKey(key: string): string {
  const visible = /^hab_[a-z0-9]{1,12}_/i.exec(key)?.[0] ?? "";
  return `${visible}${"•".repeat(8)}`;
}

/** In single quotes nothing means anything to a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

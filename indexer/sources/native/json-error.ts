/** Either side of the mistake: enough to find the place in an editor. */
const SHOWN_LENGTH = 30;

/** The engine tells the position, or shows the surroundings itself: `Unexpected token '}', ..."a","b":}" is not valid JSON`. */
const POSITION = /at position (\d{1,9})/;

/** Where a text stops to be JSON, for a person: `character 12: …"a" tru}…`. Short texts are shown as they are. */
export function describeJsonError({ message }: SyntaxError, text: string): string {
  if (text.length <= 2 * SHOWN_LENGTH) return text;
  const [, digits] = POSITION.exec(message) ?? [];
  if (digits === undefined) return message;
  const position = Number(digits);
  const [start, end] = [Math.max(0, position - SHOWN_LENGTH), position + SHOWN_LENGTH];
  const shown = text.slice(start, end).toWellFormed();
  return `character ${position + 1}: ${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

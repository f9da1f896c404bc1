/** A few digits and letters for a text, always the same. Texts with the same ones are rare among a few hundred, not impossible. */
export function shortHash(text: string, letters: number): string {
  const limit = 36 ** letters;
  const sum = Array.from(text).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % limit, 0);
  return sum.toString(36).padStart(letters, "0");
}

/** Percent-encodes every byte of UTF-8 but letters and digits. A lone surrogate becomes the three bytes that no UTF-8 has. */
export function encodeStrictly(text: string): string {
  let encoded = "";
  for (const character of text) {
    if (/^[A-Za-z0-9]$/.test(character)) encoded += character;
    else for (const byte of toBytes(character)) encoded += `%${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

function toBytes(character: string): Iterable<number> {
  const point = character.codePointAt(0)!;
  const isLoneSurrogate = point >= 0xd8_00 && point <= 0xdf_ff;
  if (!isLoneSurrogate) return Buffer.from(character);
  return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

/** As somebody writes who never heard of encoding: what may not stand in a request line at all is encoded, the rest is left. */
export function encodeHardly(text: string): string {
  let encoded = "";
  for (const character of text) encoded += /^[!-~]$/.test(character) ? character : encodeStrictly(character);
  return encoded;
}

/** Encoded, then broken: a percent sign without its digits, bytes that no UTF-8 has, an overlong slash. */
export const BREAKS: readonly ((encoded: string) => string)[] = [
  (encoded) => `${encoded}%`,
  (encoded) => `%${encoded}`,
  (encoded) => `${encoded}%f`,
  (encoded) => `${encoded}%zz`,
  (encoded) => `${encoded}%ff%fe`,
  (encoded) => `%c0%af${encoded}`,
  (encoded) => `${encoded}%e0%80%80`,
  (encoded) => `${encoded}%f8%88%80%80%80`,
  (encoded) => `${encoded}%ed%a0%80`,
  (encoded) => `${encoded}%u0041`,
  (encoded) => encoded.replaceAll("%", "%25"),
  (encoded) => `${encoded}%00`,
];

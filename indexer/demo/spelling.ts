import type { Random } from "./random.ts";

/** The mark in `oà`, `oè`, `uý` (new) and `òa`, `òe`, `úy` (old), for an open syllable; both are in everyday use. */
const OLD_TO_NEW: readonly (readonly [string, string])[] = [
  ["òa", "oà"],
  ["óa", "oá"],
  ["ỏa", "oả"],
  ["õa", "oã"],
  ["ọa", "oạ"],
  ["òe", "oè"],
  ["óe", "oé"],
  ["ỏe", "oẻ"],
  ["õe", "oẽ"],
  ["ọe", "oẹ"],
  ["ùy", "uỳ"],
  ["úy", "uý"],
  ["ủy", "uỷ"],
  ["ũy", "uỹ"],
  ["ụy", "uỵ"],
];
const NEW_OF_OLD = new Map(OLD_TO_NEW);
/** The second letter must end the syllable: in "hoàng" and "thuyền" both ways agree. */
const OLD_CLUSTER = /(?:[òóỏõọ][ae]|[ùúủũụ]y)(?!\p{L})/gu;

/** Moves the tone mark to the second vowel: `Hòa` → `Hoà`. */
export function toNewTonePlacement(text: string): string {
  return text.replace(OLD_CLUSTER, (cluster) => NEW_OF_OLD.get(cluster) ?? cluster);
}

/** Leaves off every mark, as on an old keyboard: `Phở Đặc Biệt` → `Pho Dac Biet`. */
export function removeMarks(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("đ", "d").replaceAll("Đ", "D");
}

/**
 * Of a hundred names, this many have no marks. Others are in capitals or all small; the rest match the sign.
 */
const WITHOUT_MARKS = 6;
const ALL_CAPITALS = 5;
const ALL_SMALL = 2;
const NEW_TONE_PLACEMENT = 0.35;

/** Writes a name as people would type it. */
export function writeAsPeopleDo(name: string, random: Random): string {
  const placed = random.chance(NEW_TONE_PLACEMENT) ? toNewTonePlacement(name) : name;
  const draw = random.below(100);
  if (draw < WITHOUT_MARKS) return removeMarks(placed);
  if (draw < WITHOUT_MARKS + ALL_CAPITALS) return placed.toUpperCase();
  if (draw < WITHOUT_MARKS + ALL_CAPITALS + ALL_SMALL) return placed.toLowerCase();
  return placed;
}

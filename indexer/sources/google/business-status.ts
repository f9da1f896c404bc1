import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { fold } from "../../../src/text/fold.ts";

type BusinessStatus = PlaceDocument["business_status"];

const WORDS: readonly (readonly [RegExp, BusinessStatus])[] = [
  [/\b(?:permanently closed|closed permanently|dong cua vinh vien|ngung hoat dong)\b/, "closed_permanently"],
  [
    /\b(?:temporarily closed|closed temporarily|tam thoi dong cua|dong cua tam thoi|tam dong cua)\b/,
    "closed_temporarily",
  ],
];

/** From Google's state of the moment: "Permanently closed", "Tạm thời đóng cửa"; "Closed ⋅ Opens 7 AM" is in operation. */
export function businessStatusOf(state: string): BusinessStatus {
  const folded = fold(state);
  return WORDS.find(([words]) => words.test(folded))?.[1] ?? "operational";
}

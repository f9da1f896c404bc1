import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanLine, cleanStrings } from "../../../../indexer/clean/strings.ts";
import type { PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";
import { measureCpuMs } from "../../../support/cpu-time.ts";

describe("cleanLine", () => {
  test.each([
    ["  Phở  Hòa ", "Phở Hòa"],
    ["Phở\tHòa\r\nPasteur", "Phở Hòa Pasteur"],
    ["Phở\u00A0Hòa\u202F24\u3000giờ", "Phở Hòa 24 giờ"],
    ["Pho\u031B\u0309 Ho\u0300a", "Phở Hòa"],
    ["a\u0000b\u0007c\u007Fd", "abcd"],
    ["a \u0001 b", "a b"],
    ["Ho\u0001\u0300a", "Hòa"],
    ["\uFEFFa\u200Bb", "ab"],
    ["evil\u202Egnp.exe", "evilgnp.exe"],
    ["half \uD83D of a pair", "half \uFFFD of a pair"],
    ["👨‍👩‍👧 Family", "👨‍👩‍👧 Family"],
    ["plain ASCII, as it is", "plain ASCII, as it is"],
    ["two  spaces", "two spaces"],
    ["", ""],
    [" ", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(cleanLine(text)).toBe(expected);
  });

  test("clean text stays unchanged and has only single spaces inside", () => {
    const unit = fc.constantFrom(
      "a",
      "O",
      "đ",
      "-",
      " ",
      "\t",
      "\n",
      "\u3000",
      "\u0000",
      "\u0085",
      "\u200B",
      "\u0301",
      "\u031B",
      "\uD83D",
      "\uDE00",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const once = cleanLine(text);
        expect(cleanLine(once)).toBe(once);
        expect(once).toBe(once.split(/\s+/).filter(Boolean).join(" "));
      }),
    );
  });

  test("a long line of any characters is fast", () => {
    const hostile = `${"a ".repeat(500_000)} \u0001`;
    expect(measureCpuMs(() => void cleanLine(hostile))).toBeLessThan(1_000);
  });
});

test("every text of a draft is cleaned; descriptions and reviews keep their lines", () => {
  const draft = buildDraft({
    title: " Phở ",
    alternate_names: [" a\nb "],
    location: { address: { street: " 12  Lê Lợi " } },
    features: {
      accessibility: [],
      parking: [],
      payments: [],
      service_options: [],
      other: [" Cozy  corner "],
    },
    description: " one \r\n\r\n\n\n two  three ",
    review_list: [
      { review_id: " 1 ", author_name: "Lan\n", author_profile_pic: "", rating: 5, text: "a\nb", photos: [] },
    ],
  });
  expect(cleanStrings(draft, noteTaker().context) as PlaceDraft).toEqual(
    buildDraft({
      title: "Phở",
      alternate_names: ["a b"],
      location: { address: { street: "12 Lê Lợi" } },
      features: { accessibility: [], parking: [], payments: [], service_options: [], other: ["Cozy corner"] },
      description: "one\n\ntwo three",
      review_list: [
        { review_id: "1", author_name: "Lan", author_profile_pic: "", rating: 5, text: "a\nb", photos: [] },
      ],
    }),
  );
});

import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { mistype } from "../../../eval/cases/typo.ts";
import { createRandom } from "../../../eval/random.ts";
import { editDistance } from "../../../../src/place/text/edit-distance.ts";

describe("mistyping", () => {
  test("makes exactly so many edits", () => {
    const isExact = fc.property(fc.string(), fc.constantFrom(1, 2), (seed, typos) => {
      const typed = mistype("ca phe giang 39", typos, createRandom(seed));
      return editDistance(typed ?? "", "ca phe giang 39").whole === typos;
    });
    fc.assert(isExact);
  });

  test("leaves digits and spaces alone", () => {
    const isLeft = fc.property(fc.string(), (seed) => {
      const typed = mistype("quan 161 vo van tan", 2, createRandom(seed)) ?? "";
      return typed.includes(" 161 ") && typed.split(" ").length === 5;
    });
    fc.assert(isLeft);
  });

  test.each([["161"], ["김밥천국"]])("does without %j, which has no Latin letters", (name) => {
    expect(mistype(name, 1, createRandom("any"))).toBeUndefined();
  });
});

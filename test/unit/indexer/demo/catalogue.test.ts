import { describe, expect, test } from "vitest";
import { rosterFor } from "../../../../indexer/demo/cities/roster.ts";
import { FEATURE_PROFILES, type Chance } from "../../../../indexer/demo/feature-profiles.ts";
import { KINDS } from "../../../../indexer/demo/kinds/catalogue.ts";
import { BRANDS } from "../../../../indexer/demo/names/brands.ts";
import { FEATURE_CODES } from "../../../../src/place/feature-codes.ts";
import { isTypeCode } from "../../../../src/place/type-codes.ts";

describe("the catalogue", () => {
  test.each(Object.entries(KINDS))("%s has a type code and names that differ", (_name, kind) => {
    expect(isTypeCode(kind.type)).toBe(true);
    // A name without a slot would be the same in every street; only cash machines are never without a chain.
    const fixed = kind.names.filter((name) => !name.includes("{"));
    expect(kind.brandShare === 1 ? [] : fixed).toEqual([]);
  });

  test("every kind that has branches has chains, and every chain a kind", () => {
    const withBranches = Object.keys(KINDS).filter((name) => (KINDS[name]!.brandShare ?? 0) > 0);
    expect(withBranches.toSorted()).toEqual(Object.keys(BRANDS).toSorted());
  });

  test.each(Object.entries<readonly Chance[]>(FEATURE_PROFILES))(
    "%s lists features that the API knows",
    (_name, chances) => {
      expect(chances.map(([code]) => code).filter((code) => !FEATURE_CODES.has(code))).toEqual([]);
    },
  );

  test("every landmark is of a kind of the catalogue", () => {
    const kinds = rosterFor(10_000_000).cities.flatMap(({ city }) => city.landmarks.map(([, kind]) => kind));
    expect(kinds.filter((kind) => !(kind in KINDS))).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { worldFor } from "../../../../indexer/demo/cities.ts";
import { BRANDS, KINDS } from "../../../../indexer/demo/kinds.ts";

describe("the kinds of places", () => {
  test.each(Object.entries(KINDS))("the names of %s differ", (_name, kind) => {
    // A name without a slot would be the same in every street; only cash machines are never without a chain.
    const fixed = kind.names.filter((name) => !name.includes("{"));
    expect(kind.brandShare === 1 ? [] : fixed).toEqual([]);
  });

  test("every kind that has branches has chains, and every chain a kind", () => {
    const withBranches = Object.keys(KINDS).filter((name) => (KINDS[name]!.brandShare ?? 0) > 0);
    expect(withBranches.toSorted()).toEqual(Object.keys(BRANDS).toSorted());
  });

  test("every landmark is of a kind that exists", () => {
    const kinds = worldFor(10_000_000).cities.flatMap(({ city }) => city.landmarks.map(({ kind }) => kind));
    expect(kinds.filter((kind) => !(kind in KINDS))).toEqual([]);
  });
});

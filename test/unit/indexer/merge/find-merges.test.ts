import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { createMergePreview } from "../../../../indexer/merge/merge-build.ts";
import { findMerges } from "../../../../indexer/merge/find-merges.ts";
import { createMergeTally } from "../../../../indexer/merge/merge-tally.ts";
import { toStoredSignature, createSignatureStore } from "../../../../indexer/merge/signature-store.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

const signal = new AbortController().signal;

/** A place of a source, some metres north of the point of all. */
const placeOf = (source: string, title: string, meters = 0, facts: Partial<PlaceDocument> = {}) =>
  buildPlace({
    title,
    source,
    type: "COFFEE",
    ...facts,
    location: { latitude: 10.7769 + meters / 111_195, longitude: 106.7009 },
  });

/** The groups that are found, each by the sources of its records, the kept one first. */
async function merge(places: readonly PlaceDocument[], sources = ["a", "b", "c"]) {
  const store = createSignatureStore(tmpdir());
  const merges = createMergeTally();
  const groups: string[] = [];
  for (const place of places) store.put(toStoredSignature(place));
  for await (const group of findMerges(store, { sources, merges, signal }))
    groups.push(group.map(({ source, title }) => `${source}: ${title}`).join(" + "));
  store.close();
  return { groups: groups.toSorted(), merges };
}

describe("findMerges", () => {
  test("each record is merged only with the nearest one", async () => {
    const { groups } = await merge([
      placeOf("a", "Circle K", 0),
      placeOf("a", "Circle K", 90),
      placeOf("b", "Circle K", 10),
      placeOf("b", "Circle K", 100),
    ]);
    expect(groups).toEqual(["a: Circle K + b: Circle K", "a: Circle K + b: Circle K"]);
  });

  test("the nearest wins when a source has the place twice", async () => {
    const { merges } = await merge([
      placeOf("a", "Cộng", 0),
      placeOf("b", "Cộng", 60),
      placeOf("b", "Cộng", 20),
    ]);
    expect(merges).toMatchObject({ total: 1, pairs: [{ distance_meters: 20, reason: "name" }] });
  });

  test("certainty takes precedence over distance", async () => {
    const phone = { contacts: { phone: "+84 28 3822 1234", website: "" } };
    const { groups } = await merge([
      placeOf("a", "Cộng", 0, phone),
      placeOf("b", "Cộng", 5),
      placeOf("b", "Cộng Cà Phê", 100, phone),
    ]);
    expect(groups).toEqual(["a: Cộng + b: Cộng Cà Phê"]);
  });

  test("three sources make one place", async () => {
    const { groups, merges } = await merge([
      placeOf("c", "Cộng", 0),
      placeOf("b", "Cộng", 10),
      placeOf("a", "Cộng", 20),
    ]);
    expect(groups).toEqual(["a: Cộng + b: Cộng + c: Cộng"]);
    expect(merges.total).toBe(2);
  });

  test("two records that differ are not merged through a third", async () => {
    const at = (source: string, street: string, meters: number) =>
      buildPlace({
        title: "Cộng",
        source,
        type: "COFFEE",
        location: {
          latitude: 10.7769 + meters / 111_195,
          longitude: 106.7009,
          address: { street },
        },
      });
    const { groups } = await merge([at("a", "12 Láng", 0), at("b", "", 1), at("c", "14 Láng", 5)]);
    expect(groups).toEqual(["a: Cộng + b: Cộng"]);
  });

  test("the fuller record is kept, on ties that of the earlier source", async () => {
    const fuller = placeOf("b", "Cộng", 0, { description: "Cà phê cốt dừa" });
    expect((await merge([placeOf("a", "Cộng"), fuller])).groups).toEqual(["b: Cộng + a: Cộng"]);
    expect((await merge([placeOf("b", "Cộng"), placeOf("a", "Cộng")])).groups).toEqual(["a: Cộng + b: Cộng"]);
  });

  test("on ties between sources without an order, the same one is always kept", async () => {
    const places = [placeOf("x", "Cộng"), placeOf("y", "Cộng")];
    const [there] = (await merge(places)).groups;
    expect((await merge(places.toReversed())).groups).toEqual([there]);
    expect((await merge(places, ["y"])).groups).toEqual(["y: Cộng + x: Cộng"]);
  });

  test("a large place is found from a small one's distance, from either side", async () => {
    const park = { type: "PARK" };
    const places = [placeOf("a", "Công viên Tao Đàn", 0, park), placeOf("b", "Công viên Tao Đàn", 480, park)];
    expect((await merge(places)).groups).toHaveLength(1);
    expect((await merge(places.toReversed())).groups).toHaveLength(1);
  });

  test("a later record of one identity takes the place of the earlier", async () => {
    const early = placeOf("b", "Cộng");
    const { groups } = await merge([placeOf("a", "Cộng"), early, { ...early, title: "Gió Biển" }]);
    expect(groups).toEqual([]);
  });

  test("an abort ends it", async () => {
    const store = createSignatureStore(tmpdir());
    store.put(toStoredSignature(placeOf("a", "Cộng")));
    const aborted = AbortSignal.abort(new Error("stop"));
    const options = { sources: [], merges: createMergeTally(), signal: aborted };
    await expect(findMerges(store, options).next()).rejects.toThrow("stop");
    store.close();
  });
});

describe("createMergePreview", () => {
  test("it counts possible merges and leaves no file", async () => {
    const before = readdirSync(tmpdir());
    const preview = createMergePreview("/nowhere");
    const merges = createMergeTally();
    preview.add([placeOf("a", "Cộng"), placeOf("b", "Cộng")]);
    await preview.find({ sources: ["a", "b"], merges, signal });
    expect(merges.total).toBe(1);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("hereabouts-merge-"))).toEqual(
      before.filter((name) => name.startsWith("hereabouts-merge-")),
    );
    preview.close();
  });

  test("places without a name are never merged", async () => {
    const preview = createMergePreview(tmpdir());
    const merges = createMergeTally();
    preview.add([placeOf("a", "", 0, { type: "TOILET" }), placeOf("b", "", 0, { type: "TOILET" })]);
    await preview.find({ sources: ["a", "b"], merges, signal });
    expect(merges.total).toBe(0);
    preview.close();
  });

  test("a single source has no merges", async () => {
    const preview = createMergePreview(tmpdir());
    const merges = createMergeTally();
    preview.add([placeOf("a", "Cộng"), placeOf("b", "Cộng")]);
    await preview.find({ sources: ["a"], merges, signal });
    expect(merges.total).toBe(0);
    preview.close();
  });
});

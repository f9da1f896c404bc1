import { emptyDraft, type PlaceDraft } from "../../../indexer/clean/place-draft.ts";

type Location = Omit<PlaceDraft["location"], "address"> & {
  address: Partial<PlaceDraft["location"]["address"]>;
};

/** What a test says about its draft; the rest is a named point in Ho Chi Minh City. */
export function buildDraft(
  facts: Partial<Omit<PlaceDraft, "location">> & { location?: Partial<Location> } = {},
): PlaceDraft {
  const empty = emptyDraft();
  const { address, ...location } = facts.location ?? {};
  return {
    ...empty,
    title: "Phở Hòa",
    source: "osm",
    source_id: "node/1",
    ...facts,
    location: {
      ...empty.location,
      latitude: 10.7769,
      longitude: 106.7009,
      ...location,
      address: { ...empty.location.address, ...address },
    },
  };
}

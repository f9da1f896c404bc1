import * as v from "valibot";
import { placeDocumentSchema, type PlaceDocument } from "../../src/place/document/place-document.ts";

type Location = PlaceDocument["location"];

/** The fields that a test sets; all others describe a place with nothing known about it. */
export type PlaceFacts = Partial<Omit<PlaceDocument, "location">> & {
  readonly location?: Partial<Omit<Location, "address">> & {
    readonly address?: Partial<Location["address"]>;
  };
};

/** Makes every place of a test different. */
let placesBuilt = 0;

function buildLocation({ address, ...rest }: NonNullable<PlaceFacts["location"]>): Location {
  return {
    address: { full: "", street: "", ward: "", city: "", country: "", ...address },
    latitude: 10.7769,
    longitude: 106.7009,
    timezone: "Asia/Ho_Chi_Minh",
    country_code: "VN",
    ...rest,
  };
}

/** Builds a valid stored place with a default for every field. Each call builds a different place. */
export function buildPlace({ location = {}, ...facts }: PlaceFacts = {}): PlaceDocument {
  placesBuilt += 1;
  return v.parse(placeDocumentSchema, {
    data_id: `0x1:0x${placesBuilt.toString(16)}`,
    source: "test",
    source_id: `place/${placesBuilt}`,
    title: `Place ${placesBuilt}`,
    alternate_names: [],
    type: "PLACE",
    rating: 0,
    reviews: 0,
    pricing: { min: 0, max: 0 },
    contacts: { phone: "", website: "" },
    location: buildLocation(location),
    business_status: "operational",
    opening_hours: null,
    features: { accessibility: [], parking: [], payments: [], service_options: [], other: [] },
    description: "",
    popular_times: [],
    review_list: [],
    photos: [],
    ...facts,
  });
}

import * as v from "valibot";
import { pointSchema } from "./geojson.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { shownTitle } from "../place/document/type-codes.ts";
import type { Language } from "../place/document/localized-texts.ts";

/** Responses in the form of Photon (https://photon.komoot.io), for map controls and libraries that are made for it. */

const about = v.description;
const text = v.string();
const part = (description: string) => v.optional(v.pipe(text, v.nonEmpty(), about(description)));

const photonFeatureSchema = v.pipe(
  v.strictObject({
    type: v.literal("Feature"),
    geometry: pointSchema,
    properties: v.strictObject({
      type: v.pipe(v.literal("house"), about("The layer of Photon that places are in.")),
      name: v.pipe(text, v.nonEmpty(), about("Name of the place, or of its kind.")),
      housenumber: part("House number."),
      street: part("Street, without the house number."),
      district: part("Ward or commune."),
      city: part("City or province."),
      country: part("Name of the country."),
      countrycode: part("Two letters, ISO 3166-1."),
      data_id: v.pipe(text, about("The identifier of the place in the other operations.")),
      category: v.pipe(text, about("Type code of the place.")),
    }),
  }),
  about("A place in the form of Photon. Unknown properties are absent."),
);

/** `GET /photon/api` and `GET /photon/reverse` */
export const photonAnswerSchema = v.strictObject({
  type: v.literal("FeatureCollection"),
  features: v.pipe(v.array(photonFeatureSchema), about("The places, best or nearest first.")),
});

export type PhotonAnswer = v.InferOutput<typeof photonAnswerSchema>;

/** "42B Lê Lợi": the house number stands before the street, as in Vietnam. */
const HOUSE_NUMBER = /^(\d[\p{L}\d/-]*),? +(?=\p{L})/u;

/** A place as Photon describes it. */
export function toPhotonFeature(
  place: PlaceSummaryDocument,
  language: Language,
): PhotonAnswer["features"][number] {
  const { address, latitude, longitude, country_code: countrycode } = place.location;
  const housenumber = HOUSE_NUMBER.exec(address.street)?.[1] ?? "";
  const street = address.street.replace(HOUSE_NUMBER, "");
  const parts = { housenumber, street, district: address.ward, city: address.city };
  const known = Object.entries({ ...parts, country: address.country, countrycode }).filter(
    ([, value]) => value !== "",
  );
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [longitude, latitude] },
    properties: {
      type: "house",
      name: shownTitle(place, language),
      ...(Object.fromEntries(known) as Partial<Record<keyof typeof parts, string>>),
      data_id: place.data_id,
      category: place.type,
    },
  };
}

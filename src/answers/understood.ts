import * as v from "valibot";
import type { Language } from "../place/document/localized-texts.ts";
import { areaLabel } from "../place/geometry/areas.ts";
import { OPENING_WISHES, type OpeningWish } from "../place/time/open-state.ts";

/** What a query was understood to mean: the field `understood` of a search response with `include=explain`. */

const about = v.description;
const text = v.string();

export const understoodSchema = v.pipe(
  v.strictObject({
    name: v.pipe(text, about("The words that are searched in names and addresses, without accents.")),
    kinds: v.pipe(v.array(text), about("The kinds of place that the query asks for, as type codes.")),
    wishes: v.strictObject({
      opening: v.optional(v.picklist(OPENING_WISHES)),
      price: v.optional(v.picklist(["cheap", "expensive"])),
      is_well_rated: v.boolean(),
      features: v.pipe(v.array(text), about("Feature codes.")),
    }),
    area: v.optional(
      v.pipe(text, about("The area that places should be in, in the language of the request.")),
    ),
    address: v.optional(v.pipe(text, about("House number, alleys and street."))),
    point: v.optional(v.strictObject({ latitude: v.number(), longitude: v.number() })),
    landmark: v.optional(v.pipe(text, about("The place or the street that results should be near."))),
    landmark_not_found: v.optional(
      v.pipe(text, about("A place or a street that the query names and the dataset does not have.")),
    ),
    is_near: v.pipe(v.boolean(), about("The query asks for places near the caller.")),
    is_wish_ignored: v.pipe(
      v.boolean(),
      about(
        "The results ignore the opening wish: the first is not known to be open then, nor is any after it.",
      ),
    ),
  }),
  about("With `include=explain`: what the query was understood to mean."),
);

export type Understood = v.InferOutput<typeof understoodSchema>;

/** A reading of a query, as far as the response shows it. */
interface ShownReading {
  readonly name: { readonly words: readonly string[] };
  readonly kinds: readonly { readonly codes: readonly string[] }[];
  readonly wishes: {
    readonly opening?: OpeningWish;
    readonly price?: "cheap" | "expensive";
    readonly isWellRated: boolean;
    readonly features: readonly string[];
  };
  readonly area?: { readonly name: string };
  readonly address?: {
    readonly number?: string;
    readonly alleys: readonly string[];
    readonly street: { readonly words: readonly string[] };
  };
  readonly point?: { readonly latitude: number; readonly longitude: number };
  readonly landmark?: { readonly words: readonly string[] };
  readonly isNear: boolean;
}

/** The field `understood`; of a kind with narrower ones only the broadest type code. */
export function toUnderstood(
  reading: ShownReading,
  {
    language,
    isWishIgnored,
    landmarkNotFound,
  }: {
    readonly language: Language;
    readonly isWishIgnored: boolean;
    readonly landmarkNotFound?: ShownReading["landmark"] | undefined;
  },
): Understood {
  const { name, kinds, wishes, area, address, point, landmark, isNear } = reading;
  const { opening, price, isWellRated, features } = wishes;
  return {
    name: name.words.join(" "),
    kinds: kinds.flatMap(({ codes }) => codes.slice(0, 1)),
    wishes: {
      ...(opening && { opening }),
      ...(price && { price }),
      is_well_rated: isWellRated,
      features: [...features],
    },
    ...(area && { area: areaLabel(area.name, language) }),
    ...(address && { address: toAddressText(address) }),
    ...(point && { point: { latitude: point.latitude, longitude: point.longitude } }),
    ...(landmark && { landmark: landmark.words.join(" ") }),
    ...(landmarkNotFound && { landmark_not_found: landmarkNotFound.words.join(" ") }),
    is_near: isNear,
    is_wish_ignored: isWishIgnored,
  };
}

const toAddressText = ({ number, alleys, street }: NonNullable<ShownReading["address"]>): string =>
  [number, ...alleys, ...street.words].filter((part) => part !== undefined).join(" ");

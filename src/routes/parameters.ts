import * as v from "valibot";
import { parseDataId } from "../place/data-id.ts";
import { INCLUDED_NAMES, type Included } from "../place/included-members.ts";
import { decimal, wholeNumber } from "./numbers.ts";
import { refinementEntries } from "./refinement-parameters.ts";

/** Where a search without coordinates looks: SPEC.md §4.1. Each has its own default, so one alone is legal. */
const DEFAULT_LATITUDE = "10.801671";
const DEFAULT_LONGITUDE = "106.61744";

/** Longer than any name and address together; the engine looks at ten words anyhow. */
const MAX_QUERY_LENGTH = 256;
/** Whatever a paste brings along as white space becomes a plain one. */
const WHITE_SPACE_CONTROLS = /[\t\n\v\f\r\u0085]+/g;
/** No control characters, and none that stand for bytes which were no UTF-8. */
const READABLE_TEXT = /^[^\p{Cc}\uFFFD]*$/u;
/** The shape of a language tag (RFC 5646). Languages without texts of ours fall back, so any will do. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,8}$/i;

const q = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll(WHITE_SPACE_CONTROLS, " ").trim().normalize("NFC")),
  v.regex(READABLE_TEXT, "must be UTF-8 text without control characters"),
  v.nonEmpty("must not be empty"),
  v.maxCodePoints(MAX_QUERY_LENGTH, `must have ${MAX_QUERY_LENGTH} characters or fewer`),
);

const dataId = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const canonical = parseDataId(dataset.value);
    if (canonical !== undefined) return canonical;
    addIssue({ message: "must be two hexadecimal numbers, 0x<hex>:0x<hex>" });
    return NEVER;
  }),
);

const isIncluded = (name: string): name is Included => (INCLUDED_NAMES as readonly string[]).includes(name);

const include = v.pipe(
  v.string(),
  v.transform((text) => text.split(",")),
  v.everyItem(isIncluded, `must be a comma list of ${INCLUDED_NAMES.join(", ")}`),
  v.transform((names): ReadonlySet<Included> => new Set(names.filter(isIncluded))),
);

const lat = decimal(-90, 90);
const lng = decimal(-180, 180);
const lang = v.optional(v.pipe(v.string(), v.regex(LANGUAGE_TAG, "must be a language tag such as vi or en")));

/** What search and autocomplete have in common. */
const queryAndCentre = {
  q,
  lat: v.optional(lat, DEFAULT_LATITUDE),
  lng: v.optional(lng, DEFAULT_LONGITUDE),
  lang,
  include: v.optional(include),
};

/** `GET /api/maps/search` */
export const searchParameters = v.pipe(
  v.object({
    ...queryAndCentre,
    type: v.optional(v.picklist(["minimal", "full"], "must be minimal or full"), "minimal"),
    limit: v.optional(wholeNumber(1, 50), "20"),
    offset: v.optional(wholeNumber(0, 200), "0"),
    ...refinementEntries,
  }),
  v.forward(
    v.partialCheck(
      [["open_now"], ["open_at"]],
      ({ open_now, open_at }) => open_now === undefined || open_at === undefined,
      "must not be given together with open_now",
    ),
    ["open_at"],
  ),
);

/** `GET /api/maps/place`; here the coordinates have no defaults. */
export const placeParameters = v.object({
  data_id: dataId,
  lat: v.optional(lat),
  lng: v.optional(lng),
  lang,
  include: v.optional(include),
});

/** `GET /api/maps/autocomplete` */
export const autocompleteParameters = v.object({
  ...queryAndCentre,
  limit: v.optional(wholeNumber(1, 10), "4"),
});

/** The names of all parameters there are: a log may tell which of them a request had. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set(
  [searchParameters, placeParameters, autocompleteParameters].flatMap(({ entries }) => Object.keys(entries)),
);

import * as v from "valibot";
import { drawnAs } from "../place/document/looks.ts";
import type { Language } from "../place/document/localized-texts.ts";
import {
  allTypes,
  isTypeCode,
  TYPE_CODES,
  typesUnder,
  typeLabel,
  type TypeCode,
} from "../place/document/type-codes.ts";

const about = v.description;
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const kindSchema = v.pipe(
  v.strictObject({
    code: v.pipe(
      v.string(),
      v.nonEmpty(),
      about("The type code, as in `type` of a place and in `category`."),
    ),
    parent: v.pipe(v.nullable(v.string()), about("The code of the broader kind; `null` for the broadest.")),
    label: v.pipe(v.string(), v.nonEmpty(), about("The name of the kind, in the language of the request.")),
    places: v.pipe(count, about("How many places have this kind, or one under it.")),
    own_places: v.pipe(count, about("How many places have exactly this kind.")),
    icon: v.pipe(
      v.string(),
      v.nonEmpty(),
      about("A picture: one of the names of the map page (`drink`, `food`, `shop` …), or an emoji."),
    ),
    colour: v.pipe(
      v.nullable(v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/))),
      about("A colour that the dataset chose, as `#rrggbb`; `null` without one."),
    ),
  }),
  about("A kind of places."),
);

/** The response of `GET /api/maps/kinds`. */
export const kindsAnswerSchema = v.strictObject({
  kinds: v.pipe(
    v.array(kindSchema),
    about("The kinds that the dataset has, and those above them; those with most places first."),
  ),
});

export type Kind = v.InferOutput<typeof kindSchema>;
export type KindsAnswer = v.InferOutput<typeof kindsAnswerSchema>;

/** The kinds that have places. `counts`: how many places each type code has, without the codes under it. */
export function toKinds(counts: ReadonlyMap<string, number>, language: Language): Kind[] {
  const countOf = (codes: readonly string[]): number =>
    codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0);
  // A type that this version does not know is one, too.
  const unknown = [...counts.keys()].filter((code) => !isTypeCode(code));
  return [...allTypes(), ...(unknown as TypeCode[])]
    .map((code) => toKind(code, { own: countOf([code]), all: countOf(typesUnder(code)), language }))
    .filter(({ places }) => places > 0)
    .toSorted((one, other) => other.places - one.places || (one.code < other.code ? -1 : 1));
}

interface Counted {
  readonly own: number;
  readonly all: number;
  readonly language: Language;
}

function toKind(code: TypeCode, { own, all, language }: Counted): Kind {
  const { icon, colour } = drawnAs(code);
  return {
    code,
    parent: isTypeCode(code) ? (TYPE_CODES[code].parent ?? null) : null,
    label: typeLabel(code, language),
    places: all,
    own_places: own,
    icon,
    colour: colour ?? null,
  };
}

import * as v from "valibot";
import { fullMembers, linkMembers, placeMembers } from "./place-fields.ts";
import { detailMembers } from "./place-detail.ts";
import { INCLUDED_MEMBERS } from "./included-fields.ts";
import { placeIdMember } from "./place-summary.ts";
import { suggestionSchema } from "./suggestion.ts";

/** What the operations answer with, whatever was asked for: the OpenAPI document and the types of clients are made of these. */

const { distance, periods, explain, match } = INCLUDED_MEMBERS;
const optional = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.partial(v.strictObject(entries)).entries;

export const searchResultSchema = v.pipe(
  v.strictObject({
    ...placeMembers,
    ...optional(fullMembers),
    ...linkMembers,
    ...placeIdMember,
    ...optional({ ...distance, ...periods, ...explain, ...match }),
  }),
  v.description(
    "A place as search shows it. `opening_hours` and `features` come with `type=full`, other members with their word in `include`.",
  ),
);

export const searchAnswerSchema = v.strictObject({
  local_result: v.pipe(
    v.array(searchResultSchema),
    v.maxLength(50),
    v.description("The places, best first; empty when nothing was found."),
  ),
});

export const placeResultSchema = v.pipe(
  v.strictObject({
    ...placeMembers,
    ...fullMembers,
    ...linkMembers,
    ...detailMembers,
    ...optional({ ...distance, ...periods }),
  }),
  v.description("Everything that is known of a place."),
);

export const placeAnswerSchema = v.strictObject({ place_result: placeResultSchema });

export const autocompleteAnswerSchema = v.strictObject({
  suggestions: v.pipe(
    v.array(suggestionSchema),
    v.maxLength(10),
    v.description("The places, best first; empty when nothing was found."),
  ),
});

import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { Expectation } from "./hand-written.ts";

type Answered = Pick<PlaceDocument, "source_id" | "title" | "type">;

/** What is wrong with an answer, in words; nothing when all that is expected holds. */
export function findProblems(expected: Expectation, answer: readonly Answered[]): string[] {
  const came = answer.map(({ source_id: slug }) => slug);
  const top = answer.slice(0, expected.top);
  const inTop = new Set(top.map(({ source_id: slug }) => slug));
  const titles = answer.map(({ title }) => title);
  const { first, order = [], has = [], has_one_of: hasOneOf, lacks = [], types, at_most: atMost } = expected;
  return [
    first && !first.includes(came[0] ?? "") && `${first.join(" or ")} should come first`,
    order.some((slug, number) => came[number] !== slug) && `it should begin with ${order.join(", ")}`,
    ...has.map((slug) => !inTop.has(slug) && `${slug} should be among the first ${expected.top}`),
    hasOneOf && !hasOneOf.some((slug) => inTop.has(slug)) && `none of ${hasOneOf.join(", ")} came`,
    ...lacks.map((slug) => inTop.has(slug) && `${slug} should not be there`),
    types && answer.length < (expected.top ?? 0) && `there should be ${expected.top} places`,
    types && top.some(({ type }) => !types.includes(type)) && `the first should be ${types.join(" or ")}`,
    expected.distinct_titles && new Set(titles).size < titles.length && "a name comes twice",
    atMost !== undefined && answer.length > atMost && `there should be no more than ${atMost}`,
  ].filter((problem) => typeof problem === "string");
}

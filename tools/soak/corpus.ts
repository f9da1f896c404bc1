import type { NativePlace } from "../bench/dataset.ts";
import { pointWithin } from "../bench/requests.ts";
import type { Random } from "../../test/support/random.ts";
import { firstSixtyPercent, withOneTypo, withoutMarks } from "../bench/typed-text.ts";
import type { Build } from "./datasets.ts";

export type Operation = "search" | "autocomplete";

/** A question whose response is known for each build. */
export interface KnownQuestion {
  readonly operation: Operation;
  readonly text: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The data ids that each build returns, in order. */
  readonly expected: Readonly<Record<Build, readonly string[]>>;
}

export type Question = Omit<KnownQuestion, "expected">;

/** Words for kinds of places that the demo dataset has many of. */
const CATEGORY_WORDS = ["cafe", "quán ăn", "atm", "nhà thuốc", "khách sạn", "trường học", "pho", "siêu thị"];

const NEAR_METERS = 2_000;

/**
 * Questions of all sorts about known places: names, names without marks, mistyped, half typed, categories.
 */
export function makeQuestions(places: readonly NativePlace[], random: Random, count: number): Question[] {
  const forms: readonly [Operation, (title: string) => string][] = [
    ["search", (title) => title],
    ["search", withoutMarks],
    ["search", (title) => withOneTypo(withoutMarks(title), random)],
    ["search", firstSixtyPercent],
    ["search", () => random.pick(CATEGORY_WORDS)],
    ["autocomplete", (title) => withoutMarks(title).slice(0, 3)],
    ["autocomplete", firstSixtyPercent],
  ];
  return Array.from({ length: count }, (_, number) => {
    const { title, location } = random.pick(places);
    const [operation, typed] = forms[number % forms.length]!;
    return { operation, text: typed(title), ...pointWithin(location, NEAR_METERS, random) };
  }).filter(({ text }) => text.trim() !== "");
}

/** A thousandth of a millimetre: a different request for every cache, but the same for every ranking. */
const HAIR = 1e-11;

/** The path of a question. `isNew` makes it unique, so that no cache has the response. */
export function toPath(question: Question, random: Random, isNew: boolean): string {
  const { operation, text, latitude, longitude } = question;
  const shift = isNew ? HAIR * (1 + random.below(5_000)) : 0;
  const query = new URLSearchParams({
    q: text,
    lat: (latitude + shift).toFixed(12),
    lng: longitude.toFixed(5),
  });
  return `/api/maps/${operation}?${query.toString()}`;
}

/** The data ids of a response, in order. */
export function readIds(operation: Operation, body: unknown): string[] {
  const lists = body as Readonly<Record<string, readonly { readonly data_id: string }[]>>;
  return (lists[operation === "search" ? "local_result" : "suggestions"] ?? []).map(({ data_id }) => data_id);
}

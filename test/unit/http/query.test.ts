import * as fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { ProblemError, type ParameterProblem } from "../../../src/errors.ts";
import { autocompleteParameters, placeParameters, searchParameters } from "../../../src/http/parameters.ts";
import { parseQuery } from "../../../src/http/query-string.ts";

const parseSearch = (querystring: string) => parseQuery(searchParameters, querystring);

/** Runs what should be refused. Any error but a 422 goes on. */
function problemsOf(parse: () => unknown): readonly ParameterProblem[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof ProblemError && error.status === 422) return error.errors;
    throw error;
  }
  return [];
}

const findProblems = (parse: () => unknown): string[] =>
  problemsOf(parse).map(({ parameter, code }) => `${parameter}: ${code}`);

test("all invalid parameters are reported together, once each", () => {
  const querystring = "lat=91&lng=abc&type=huge&limit=0&offset=-1&lang=%00&include=all&limit=2";
  expect(findProblems(() => parseSearch(querystring)).toSorted()).toStrictEqual([
    "include: unknown_value",
    "lang: malformed",
    "lat: out_of_range",
    "limit: repeated",
    "lng: malformed",
    "offset: malformed",
    "q: missing",
    "type: unknown_value",
  ]);
});

test("invalid filters are reported too", () => {
  const querystring =
    "q=a&category=NOPE&open_now=yes&open_at=tomorrow&min_rating=6&max_price=-1&radius=0&sort=price";
  expect(findProblems(() => parseSearch(querystring)).toSorted()).toStrictEqual([
    "category: unknown_value",
    "max_price: malformed",
    "min_rating: out_of_range",
    "open_at: malformed",
    "open_now: unknown_value",
    "radius: out_of_range",
    "sort: unknown_value",
  ]);
});

test("two times conflict, whatever else is invalid", () => {
  const both = "open_now=1&open_at=2026-11-20T20:00Z";
  expect(findProblems(() => parseSearch(`q=a&${both}`))).toStrictEqual(["open_at: conflicting"]);
  expect(findProblems(() => parseSearch(`${both}&lat=91`)).toSorted()).toStrictEqual([
    "lat: out_of_range",
    "open_at: conflicting",
    "q: missing",
  ]);
  expect(problemsOf(() => parseSearch(`q=a&${both}`))[0]?.message).toBe(
    "open_at must not be given together with open_now.",
  );
});

test("a value that breaks several rules is one problem", () => {
  expect(findProblems(() => parseSearch(`q=${"%00".repeat(300)}`))).toStrictEqual(["q: malformed"]);
});

test("a message is a sentence that begins with the parameter", () => {
  expect(problemsOf(() => parseSearch("lat=x"))).toStrictEqual([
    { parameter: "q", code: "missing", message: "q is required." },
    { parameter: "lat", code: "malformed", message: "lat must be a number from -90 to 90." },
  ]);
});

test("a repeated parameter is one problem, even with equal or invalid values", () => {
  expect(findProblems(() => parseSearch("q=a&q=a"))).toStrictEqual(["q: repeated"]);
  expect(findProblems(() => parseSearch("q=a&lat=x&lat=y"))).toStrictEqual(["lat: repeated"]);
});

test("unknown parameters are ignored, whatever their names", () => {
  const hostile =
    "__proto__=1&__proto__=2&toString=x&constructor=y&hasOwnProperty&__proto__[q]=z&q%00=1&Q=3&=4&q[]=5";
  expect(findProblems(() => parseSearch(hostile))).toStrictEqual(["q: missing"]);
  expect(parseSearch(`q=a&${hostile}`)).toStrictEqual(parseSearch("q=a"));
  expect(({} as Record<string, unknown>)["q"]).toBeUndefined();
});

const anyText = fc.string({ unit: "binary" });

test("any query string is accepted or a 422", () => {
  fc.assert(
    fc.property(anyText, (querystring) => {
      findProblems(() => parseQuery(searchParameters, querystring));
      findProblems(() => parseQuery(placeParameters, querystring));
      findProblems(() => parseQuery(autocompleteParameters, querystring));
    }),
  );
});

test("accepted values are within their limits", () => {
  const accepted = v.object({
    q: v.pipe(v.string(), v.minLength(1), v.maxCodePoints(256), v.regex(/^\S(.*\S)?$/su)),
    lat: v.optional(v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))),
    lng: v.optional(v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
    offset: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(200)),
  });
  const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.integer({ min: -200, max: 200 })).map(String);
  const refinements = fc.dictionary(fc.constantFrom("lat", "lng", "limit", "offset"), anyNumber, {
    maxKeys: 2,
  });
  fc.assert(
    fc.property(anyText, refinements, (q, values) => {
      const querystring = new URLSearchParams({ q, ...values }).toString();
      const isRefused = findProblems(() => parseSearch(querystring)).length > 0;
      expect(isRefused || v.is(accepted, parseSearch(querystring))).toBe(true);
    }),
  );
});

import { expect, test } from "vitest";
import { buildSearchExamples } from "../../../src/openapi/examples.ts";
import { SECURITY_HEADERS, checkContract } from "../../support/contract.ts";

const LINKS = {
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?id={data_id}",
};

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  ...SECURITY_HEADERS,
  "cache-control": "private, max-age=60, must-revalidate",
  etag: `"${"x".repeat(43)}"`,
  "x-request-id": "r-1",
  "x-ratelimit-limit": "600",
  "x-ratelimit-remaining": "599",
  "x-ratelimit-reset": "1795143660",
  ratelimit: '"minute";r=599;t=60',
  "ratelimit-policy": '"minute";q=600;w=60',
};

interface SearchBody {
  local_result: Record<string, unknown>[];
}

const { minimal } = buildSearchExamples(LINKS) as { minimal: { value: SearchBody } };

function check(body: SearchBody, { headers = HEADERS as Record<string, string>, query = "q=x" } = {}): void {
  const target = `/api/maps/search?${query}`;
  const text = JSON.stringify(body);
  checkContract({ method: "GET", target, status: 200, headers: new Headers(headers), text });
}

/** The example answer with its first place changed. */
const changed = (members: Record<string, unknown>): SearchBody => ({
  local_result: minimal.value.local_result.map((place) => ({ ...place, ...members })),
});

test("a documented response is accepted", () => {
  expect(() => check(minimal.value)).not.toThrow();
});

test.each([
  ["a member that nobody described", changed({ colour: "red" }), "colour"],
  ["a member that is missing", changed({ title: undefined }), "title"],
  ["a member of another form", changed({ rating: "4.5" }), "/local_result/0/rating"],
  ["a value out of range", changed({ rating: 0.5 }), "/local_result/0/rating"],
  ["a member that was not asked for", changed({ distance_m: 12 }), "distance_m"],
])("%s is a fault", (_, body, fault) => {
  expect(() => check(body)).toThrow(fault);
});

test("a missing requested field is a fault", () => {
  expect(() => check(minimal.value, { query: "q=x&include=distance" })).toThrow("distance_m");
  expect(() => check(minimal.value, { query: "q=x&type=full" })).toThrow("opening_hours");
});

test.each([
  ["a header that is missing", "x-ratelimit-limit", ""],
  ["a header of another form", "ratelimit", "600"],
  ["a header that is no number", "x-ratelimit-reset", "soon"],
  ["another type of content", "content-type", "text/html"],
])("%s is a fault", (_, name, value) => {
  const headers: Record<string, string> = { ...HEADERS, [name]: value };
  if (value === "") delete headers[name];
  expect(() => check(minimal.value, { headers })).toThrow(
    name === "content-type" ? "content type" : /header/,
  );
});

test("an undocumented status of a path is a fault", () => {
  const answer = {
    method: "GET",
    target: "/healthz",
    status: 204,
    headers: new Headers(HEADERS),
    text: "{}",
  };
  expect(() => checkContract(answer)).toThrow("204 is not documented");
});

import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/errors.ts";
import { parseMatchRequest } from "../../../src/http/match-request.ts";

function refusalOf(body: unknown): ProblemError | undefined {
  try {
    parseMatchRequest(typeof body === "string" ? body : JSON.stringify(body));
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  return undefined;
}

function problemsOf(body: unknown): unknown {
  const refusal = refusalOf(body);
  const problems = refusal?.errors.map(({ parameter, code }) => [parameter, code]);
  return problems?.length === 0 ? refusal?.message : problems;
}

describe("a request is refused", () => {
  test.each([
    ["no JSON", '{"records": [', "The body is not JSON."],
    ["nothing", "", "The body is not JSON."],
    ["a list", [], 'The body must be a JSON object with a list "records".'],
    ["deep nesting", "[".repeat(10_000), "The body is nested more than 8 levels deep."],
    ["no list of records", {}, [["records", "missing"]]],
    ["something else than a list", { records: {} }, [["records", "malformed"]]],
    ["no record", { records: [] }, [["records", "missing"]]],
    ["a record that is a text", { records: ["Cafe"] }, [["records[0]", "malformed"]]],
    ["a record without anything", { records: [{ name: "a" }, { id: "2" }] }, [["records[1]", "missing"]]],
    ["empty texts", { records: [{ name: " ", phone: "", address: null }] }, [["records[0]", "missing"]]],
    ["a latitude alone", { records: [{ name: "a", lat: 10 }] }, [["records[0].lng", "missing"]]],
    [
      "a position elsewhere",
      { records: [{ lat: 91, lng: 181 }] },
      [
        ["records[0].lat", "out_of_range"],
        ["records[0].lng", "out_of_range"],
      ],
    ],
    ["a position as text", { records: [{ lat: "10", lng: 106 }] }, [["records[0].lat", "malformed"]]],
    ["a name as number", { records: [{ name: 7 }] }, [["records[0].name", "malformed"]]],
    ["a long name", { records: [{ name: "a".repeat(201) }] }, [["records[0].name", "too_long"]]],
    ["half a character", '{"records":[{"name":"\\ud800"}]}', [["records[0].name", "malformed"]]],
    ["a field that does not exist", { records: [{ adress: "x" }] }, [["records[0].adress", "unknown_value"]]],
    [
      "a wrong confidence",
      { records: [{ name: "a" }], min_confidence: 2 },
      [["min_confidence", "out_of_range"]],
    ],
    ["an unknown word", { records: [{ name: "a" }], threshold: 1 }, [["threshold", "unknown_value"]]],
  ])("with %s", (_, body, problem) => {
    expect(problemsOf(body)).toEqual(problem);
  });

  test.each([
    [
      { records: [{ adress: "x" }] },
      "records[0].adress is unknown; the fields are id, name, address, phone, website, lat, lng.",
    ],
    [
      { records: [{ name: "a" }], threshold: 1 },
      "threshold is unknown; the fields are records, min_confidence.",
    ],
  ])("with the fields that a record or the body may have: %j", (body, message) => {
    expect(refusalOf(body)?.errors.map((problem) => problem.message)).toEqual([message]);
  });

  test("with the first twenty problems, and never with what a caller made up", () => {
    const records = Array.from({ length: 30 }, () => ({ name: 1 }));
    expect(problemsOf({ records })).toHaveLength(20);
    expect(problemsOf({ records: [{ "<script>": 1 }] })).toEqual([["records", "unknown_value"]]);
  });
});

test("too many records are told apart from wrong ones", () => {
  expect(
    parseMatchRequest(JSON.stringify({ records: Array.from({ length: 101 }, () => ({})) })),
  ).toBeUndefined();
});

test("texts are trimmed, and null is nothing", () => {
  const body = {
    records: [{ id: " 7 ", name: " Cafe ", phone: null, lat: 10.5, lng: 106 }],
    min_confidence: 0.5,
  };
  expect(parseMatchRequest(JSON.stringify(body))).toEqual({
    records: [
      {
        id: " 7 ",
        asked: {
          name: "Cafe",
          address: "",
          phone: "",
          website: "",
          location: { latitude: 10.5, longitude: 106 },
        },
      },
    ],
    minConfidence: 0.5,
  });
});

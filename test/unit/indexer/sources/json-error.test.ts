import { expect, test } from "vitest";
import { describeJsonError } from "../../../../indexer/sources/json.ts";

function describeError(text: string): string {
  try {
    JSON.parse(text);
    return "no error";
  } catch (error) {
    return describeJsonError(error as SyntaxError, text);
  }
}

const LONG = "x".repeat(100);

test.each([
  ["a short text is shown as it is", "not json", "not json"],
  [
    "something behind the record",
    `{"title":"${LONG}"} and more of it, and more of it`,
    `character 114: …${"x".repeat(27)}"} and more of it, and more of it`,
  ],
  ["a text that breaks off", `{"title":"${LONG}`, `character 111: …${"x".repeat(30)}`],
  ["a wrong beginning", `{'title':"${LONG}"}`, `character 2: {'title':"${"x".repeat(21)}…`],
])("%s", (_, text, shown) => {
  expect(describeError(text)).toBe(shown);
});

test("an error in a long text is shown with its surroundings", () => {
  expect(describeError(`{"title":"${LONG}","rating":good,"text":"${LONG}"}`)).toContain('"rating":good');
});

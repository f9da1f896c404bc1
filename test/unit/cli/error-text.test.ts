import { expect, test } from "vitest";
import { toErrorText, CommandError } from "../../../src/cli/errors.ts";

test("an error for people is told without its causes", () => {
  expect(toErrorText(new CommandError("Fix the file.", { cause: new Error("ENOENT") }))).toBe(
    "Fix the file.",
  );
});

test("any other error is told with the causes that explain it", () => {
  const refused = new AggregateError([
    new Error("connect ECONNREFUSED 127.0.0.1:7700"),
    new Error("connect ECONNREFUSED ::1"),
  ]);
  const error = new Error("Request to http://127.0.0.1:7700 has failed", { cause: refused });
  expect(toErrorText(error)).toBe(
    "Request to http://127.0.0.1:7700 has failed: connect ECONNREFUSED 127.0.0.1:7700",
  );
});

test("what is thrown and is no error is told as it is", () => {
  expect(toErrorText("gone")).toBe("gone");
});

test.each([
  "MISCONF Errors writing to the AOF file: No space left on device",
  "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
])("a Redis that cannot write to its disk is named, and not the engine: %s", (message) => {
  const text = toErrorText(new Error(message));
  expect(text).toContain("Redis cannot write to its disk");
  expect(text).not.toContain("engine");
});

test("a full disk is told with what to do", () => {
  const error = new Error("Meilisearch answered 500 internal: No space left on device (os error 28)");
  expect(toErrorText(error)).toContain("make room and import again");
});

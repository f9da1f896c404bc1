import { expect, test } from "vitest";
import { toErrorText, CommandError } from "../../../src/cli/errors.ts";

test("an error for people is told without its causes", () => {
  expect(toErrorText(new CommandError("Mend the file.", { cause: new Error("ENOENT") }))).toBe(
    "Mend the file.",
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

test("a full disk is told with what to do", () => {
  const error = new Error("Meilisearch answered 500 internal: No space left on device (os error 28)");
  expect(toErrorText(error)).toContain("make room and import again");
});

import { expect, test } from "vitest";
import { toErrorFields } from "../../../src/telemetry/logger.ts";
import { EngineResponseError } from "../../../src/meilisearch/connection.ts";
import { createLogBook } from "../../support/log-lines.ts";

test("a line holds its level by name, the time and the event", () => {
  const { logger, lines } = createLogBook();
  logger.warn({ port: 8080 }, "server_listening");
  expect(lines()).toStrictEqual([
    {
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      event: "server_listening",
      port: 8080,
    },
  ]);
});

test("an error brings its stack and causes, and nothing that was hung on it", () => {
  const reply = Object.assign(new Error("WRONGPASS"), { code: "EAUTH", command: { args: ["hunter2"] } });
  const { logger, lines, text } = createLogBook();
  logger.error({ err: new Error("no limit", { cause: reply }) }, "failed");
  expect(lines()[0]?.["err"]).toMatchObject({
    type: "Error",
    message: "no limit",
    stack: expect.stringContaining("logger.test.ts") as unknown,
    cause: { message: "WRONGPASS", code: "EAUTH" },
  });
  expect(text()).not.toContain("hunter2");
});

test("errors that cause each other come to an end", () => {
  const first = new Error("first");
  first.cause = new Error("second", { cause: first });
  expect(JSON.stringify(toErrorFields(first, { mayQuote: true })).match(/"message"/g)).toHaveLength(6);
});

test.each([
  { thrown: "text", type: "string", message: "text" },
  { thrown: undefined, type: "undefined", message: "undefined" },
  { thrown: null, type: "object", message: "null" },
])("$type may be thrown too", ({ thrown, type, message }) => {
  expect(toErrorFields(thrown, { mayQuote: false })).toStrictEqual({ type, message });
});

test.each([
  {
    error: new EngineResponseError(400, { code: "invalid_search_filter", message: "at `words IN [secret]`" }),
    kept: "Meilisearch answered 400 invalid_search_filter",
  },
  { error: captureSyntaxError('{"query":secret'), kept: "Unexpected token" },
])("a message that may quote a caller is cut ($kept), but not at debug", ({ error, kept }) => {
  const wrapped = new Error("engine", { cause: error });
  const atInfo = createLogBook("info");
  atInfo.logger.error({ err: wrapped }, "failed");
  expect(atInfo.text()).not.toContain("secret");
  expect(atInfo.lines()).toMatchObject([
    { err: { cause: { message: kept, stack: expect.stringContaining(import.meta.filename) as unknown } } },
  ]);

  const atDebug = createLogBook("debug");
  atDebug.logger.error({ err: wrapped }, "failed");
  expect(atDebug.text()).toContain("secret");
});

function captureSyntaxError(json: string): Error {
  try {
    JSON.parse(json);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("the text was JSON");
}

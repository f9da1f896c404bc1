import { expect, test } from "vitest";
import { toErrorFields } from "../../src/logger.ts";
import { createLogBook } from "../support/log-lines.ts";

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
  expect(JSON.stringify(toErrorFields(first)).match(/"message"/g)).toHaveLength(6);
});

test.each([
  { thrown: "text", type: "string", message: "text" },
  { thrown: undefined, type: "undefined", message: "undefined" },
  { thrown: null, type: "object", message: "null" },
])("$type may be thrown too", ({ thrown, type, message }) => {
  expect(toErrorFields(thrown)).toStrictEqual({ type, message });
});

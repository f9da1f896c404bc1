import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { readConfig, waitForSecretFiles } from "../../src/config.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hereabouts-secrets-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function complaint(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error("the configuration was accepted");
}

test.each([
  ["API_KEYS", "key-number-one-16,key-number-two-16\n", ["key-number-one-16", "key-number-two-16"]],
  ["MEILISEARCH_KEY", "  abc\r\n", "abc"],
  ["REDIS_URL", "redis://:secret@redis:6379\n", "redis://:secret@redis:6379"],
] as const)("%s may come from a file", (name, text, expected) => {
  expect(readConfig({ [`${name}_FILE`]: write("secret", text) })[name]).toEqual(expected);
});

test.each(["API_KEYS", "MEILISEARCH_KEY", "REDIS_URL"])("%s_FILE that is not there is an error", (name) => {
  expect(complaint({ [`${name}_FILE`]: join(folder, "none") })).toMatch(
    new RegExp(`\\n  ${name}_FILE must name a file that can be read.*ENOENT`),
  );
});

test("an empty file is an error: nobody means to run without the secret", () => {
  expect(complaint({ MEILISEARCH_KEY_FILE: write("empty", "\n") })).toContain("not empty");
});

test("a secret is given once, not in two ways that may differ", () => {
  const env = { MEILISEARCH_KEY: "one", MEILISEARCH_KEY_FILE: write("two", "two") };
  expect(complaint(env)).toContain("MEILISEARCH_KEY must not be set together with MEILISEARCH_KEY_FILE");
});

test("a secret that is wrong is told without being repeated, and with all else that is wrong", () => {
  const message = complaint({ API_KEYS_FILE: write("short", "hunter2"), PORT: "x", REDIS_URL_FILE: "/none" });
  expect(message.split("\n")).toHaveLength(4);
  expect(message).not.toContain("hunter2");
});

test("a server waits for a file that is still to be written", async () => {
  const path = join(folder, "late");
  const waited: string[] = [];
  const waiting = waitForSecretFiles(
    { MEILISEARCH_KEY_FILE: path },
    { signal: new AbortController().signal, onWait: (paths) => waited.push(...paths) },
  );
  await sleep(300);
  writeFileSync(path, "");
  await sleep(300);
  writeFileSync(path, "key");
  await waiting;
  expect(waited).toEqual([path]);
  expect(readConfig({ MEILISEARCH_KEY_FILE: path }).MEILISEARCH_KEY).toBe("key");
});

test.each([
  ["the time is over", { signal: new AbortController().signal, timeoutMs: 300 }],
  ["it is told to stop", { signal: AbortSignal.timeout(300) }],
])("it waits no longer when %s", async (_, options) => {
  const env = { API_KEYS_FILE: join(folder, "none") };
  await waitForSecretFiles(env, { ...options, onWait: () => {} });
  expect(complaint(env)).toContain("ENOENT");
});

test("without such files it does not wait at all", async () => {
  const onWait = (): never => {
    throw new Error("it waits");
  };
  const env = { API_KEYS_FILE: "", MEILISEARCH_KEY: "x" };
  await expect(
    waitForSecretFiles(env, { signal: new AbortController().signal, onWait }),
  ).resolves.toBeUndefined();
});

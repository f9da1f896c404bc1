import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyId, createSecret, formatApiKey, parseApiKey } from "../../../src/keys/key-record.ts";

const createApiKey = (): string => {
  const id = createKeyId();
  return formatApiKey({ id, secret: createSecret(id) });
};

/** Checksums by another implementation of CRC-32 (Python's zlib). */
test.each([
  ["hab_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "3a2tkD"],
  ["hab_zzzzzzzzzzzz_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq", "0uDCM3"],
])("the checksum of %s is %s", (rest, checksum) => {
  expect(parseApiKey(rest + checksum)?.id).toBe(rest.slice(4, 16));
});

test("a new key is parsed into its parts", () => {
  const id = createKeyId();
  const secret = createSecret(id);
  expect(parseApiKey(formatApiKey({ id, secret }))).toStrictEqual({ id, secret });
});

test("a key with one wrong character is invalid", () => {
  fc.assert(
    fc.property(fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (position, character) => {
      const key = createApiKey();
      const at = position % key.length;
      fc.pre(key[at] !== character);
      expect(parseApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

test("a key with two swapped characters is invalid", () => {
  fc.assert(
    fc.property(fc.nat(), (position) => {
      const key = createApiKey();
      const at = position % (key.length - 1);
      const [first = "", second = ""] = key.slice(at);
      fc.pre(first !== second);
      expect(parseApiKey(key.slice(0, at) + second + first + key.slice(at + 2))).toBeUndefined();
    }),
  );
});

test.each([
  "",
  "hab_",
  "hab_demo_3q2-7wAbCdEfGhIjKlMnOpQr",
  "hab_0123456789ab_short",
  " hab_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3a2tkD",
  "hab_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3a2tkD\n",
  "a-key-of-some-other-shape",
])("%j is not a key", (text) => {
  expect(parseApiKey(text)).toBeUndefined();
});

test("keys are unique, and secrets use all letters", () => {
  const keys = Array.from({ length: 500 }, createApiKey);
  expect(new Set(keys.map((key) => parseApiKey(key)?.id)).size).toBe(500);
  expect(new Set(keys.flatMap((key) => parseApiKey(key)?.secret.split(""))).size).toBe(62);
});

test("the pattern in the docs finds keys in a text, and only keys", () => {
  const docs = readFileSync(new URL("../../../docs/keys.md", import.meta.url), "utf8");
  const pattern = new RegExp(/```regex\n(.+)\n```/.exec(docs)?.[1] ?? "nothing", "g");
  const key = createApiKey();
  const text = `curl -H 'x-api-key: ${key}' # not hab_demo_3q2-7wAbCdEfGhIjKlMnOpQr, not hab_something_else`;
  expect([...text.matchAll(pattern)].map(([found]) => found)).toStrictEqual([key]);
});

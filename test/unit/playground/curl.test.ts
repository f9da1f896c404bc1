import { execFileSync } from "node:child_process";
import { fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { maskKey, toCurl } from "../../../src/playground/curl.ts";

/** The words that a shell makes of a command, with `curl` standing for printf. */
function readWords(command: string, env: NodeJS.ProcessEnv = {}): string[] {
  const script = command.replace(/^curl /, "printf '%s\\n' ");
  return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env }).trimEnd().split("\n");
}

const url = fc
  .string({ unit: "grapheme", maxLength: 30 })
  .map((q) => `http://127.0.0.1:8080/api/maps/search?${new URLSearchParams({ q }).toString()}`);

test("a shell parses the copied command to the same address and key", () => {
  const key = fc.stringMatching(/^[\x21-\x7e]{16,40}$/);
  const isRead = (address: string, shown: string): void => {
    expect(readWords(toCurl(address, shown))).toEqual(["-s", "-H", `x-api-key: ${shown}`, address]);
  };
  fc.assert(fc.property(url, key, isRead), { numRuns: 30 });
});

test("a command without a key reads it from the environment", () => {
  const command = toCurl("http://127.0.0.1/api/maps/search?q=pho", undefined);
  expect(readWords(command, { HEREABOUTS_KEY: "of-my-own" })).toContain("x-api-key: of-my-own");
});

test.each(["hab_demo_0123456789abcdef", "0123456789abcdefgh", "hab_x1_secretsecretsecret"])(
  "%s is shown without its secret",
  (key) => {
    const secret = key.replace(/^hab_[a-z0-9]+_/, "");
    expect(maskKey(key)).toMatch(/•{8}$/);
    expect(maskKey(key)).not.toContain(secret.slice(0, 4));
  },
);

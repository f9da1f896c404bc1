import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect } from "vitest";

/** Judges a packed package as its users' tools will see it: its files and exports (publint), and its types (attw). */
export async function expectToBePublishable(tarball: string): Promise<void> {
  const bytes = readFileSync(tarball);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: buffer } });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  // It is a module: from CommonJS it is imported, not required.
  const printed = execFileSync("attw", [tarball, "--profile", "esm-only", "--no-color", "--format", "json"], {
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).not.toHaveProperty("problems.0");
}

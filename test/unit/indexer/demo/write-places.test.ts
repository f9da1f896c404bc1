import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { writeToStream } from "../../../../src/cli/atomic-file.ts";
import { linesOfPlaces, type DemoOptions } from "../../../../indexer/demo/demo-places.ts";

const bytesOf = (options: Partial<DemoOptions>): Buffer =>
  Buffer.from([...linesOfPlaces({ places: 400, seed: 1, lean: false, ...options })].join(""));

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe("the bytes of a dataset", () => {
  // Whoever changes a table or a rule of the demo changes these bytes, and writes the new sum here on purpose.
  test("are the same on every machine and in every run", () => {
    expect(sha256(bytesOf({}))).toBe("05af00064382249286c8549f6c1a47cc58d8cb1236b2519db843afe3833e6af4");
  });

  test("differ for another seed", () => {
    expect(sha256(bytesOf({ seed: 2 }))).not.toBe(sha256(bytesOf({ seed: 1 })));
  });

  test("begin the same for fewer places of the same world", () => {
    const [few, many] = [bytesOf({ places: 100 }), bytesOf({ places: 400 })];
    expect(many.subarray(0, few.length).equals(few)).toBe(true);
  });
});

test("a slow reader holds the writer back", async () => {
  let most = 0;
  let written = 0;
  const output: Writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      most = Math.max(most, output.writableLength);
      written += chunk.length;
      void nextTurn().then(() => done());
    },
  });
  await writeToStream(output, linesOfPlaces({ places: 3000, seed: 1, lean: true }));
  expect(written).toBeGreaterThan(2_500_000);
  // One block of a quarter of a million characters, some of them of two or three bytes, and never a second one behind it.
  expect(most).toBeLessThan(500_000);
});

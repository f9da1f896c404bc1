import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { streamAtomically, writeToStream } from "../../../src/cli/atomic-file.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-output-"));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

async function* texts(...parts: (string | Error)[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

describe("streamAtomically", () => {
  test.each([
    ["plain.jsonl", (bytes: Buffer) => bytes],
    ["packed.jsonl.gz", gunzipSync],
    ["packed.jsonl.zst", zstdDecompressSync],
  ])("writes %s and nothing beside it", async (name, unpack) => {
    await streamAtomically(join(folder, name), texts("phở\n", "bún\n"), never);
    expect(unpack(readFileSync(join(folder, name))).toString()).toBe("phở\nbún\n");
    expect(readdirSync(folder).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test("leaves an older file as it was when it fails half way", async () => {
    const path = join(folder, "older.jsonl");
    writeFileSync(path, "older");
    await expect(
      streamAtomically(path, texts("new", new Error("the engine is gone")), never),
    ).rejects.toThrow("the engine is gone");
    expect(readFileSync(path, "utf8")).toBe("older");
    expect(readdirSync(folder).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test("ends with the reason of an interruption", async () => {
    const controller = new AbortController();
    controller.abort(new Error("Interrupted."));
    await expect(streamAtomically(join(folder, "x"), texts("a"), controller.signal)).rejects.toThrow(
      "Interrupted.",
    );
    expect(readdirSync(folder)).not.toContain("x");
  });

  test("says which file cannot be written", async () => {
    const path = join(folder, "no-such-folder", "x.jsonl");
    await expect(streamAtomically(path, texts("a"), never)).rejects.toThrow(
      `Cannot write ${path}: there is no directory`,
    );
  });
});

describe("writeToStream", () => {
  test("leaves the stream open", async () => {
    const stream = new PassThrough();
    expect(await writeToStream(stream, texts("a", "b"), never)).toBe(true);
    expect(stream.writableEnded).toBe(false);
    stream.end();
    expect(await text(stream)).toBe("ab");
  });

  test("says when nobody listens any more", async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    expect(await writeToStream(stream, texts("a", "b"), never)).toBe(false);
    expect(await writeToStream(stream, texts("a"), never)).toBe(false);
  });

  test("throws what the texts throw", async () => {
    await expect(writeToStream(new PassThrough(), texts(new Error("gone")), never)).rejects.toThrow("gone");
  });
});

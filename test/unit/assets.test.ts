import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createAsset, createLargeAsset } from "../../src/assets.ts";

const KIND = { path: "/docs/assets/large.js", contentType: "text/javascript; charset=utf-8" };

/** A file in three encodings, in a folder of its own. */
function writeFiles() {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-assets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): URL => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  };
  return {
    identity: write("large.js", "plain"),
    br: write("large.br", "smallest"),
    gzip: write("large.gz", "small"),
  };
}

test("a large file without one of its encodings cannot be sent", async () => {
  const files = writeFiles();
  rmSync(files.gzip);
  await expect(createLargeAsset({ ...KIND, files })).rejects.toMatchObject({ code: "ENOENT" });
});

test("a large file has the validator of its plain bytes, like any other", async () => {
  const large = await createLargeAsset({ ...KIND, files: writeFiles() });
  expect(large.etag).toBe(createAsset({ ...KIND, origin: "plain" }).etag);
});

test("a large file is read in the encoding that is asked for", async () => {
  const large = await createLargeAsset({ ...KIND, files: writeFiles() });
  const read = await Promise.all(
    (["identity", "br", "gzip"] as const).map((encoding) => large.read(encoding)),
  );
  expect(read.map(String)).toStrictEqual(["plain", "smallest", "small"]);
});

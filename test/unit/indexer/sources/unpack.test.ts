import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unpack } from "../../../../indexer/sources/input.ts";

const TEXT = Buffer.from(
  Array.from({ length: 20_000 }, (_, index) => `line ${index} ${Math.sin(index)}\n`).join(""),
);

const PACKERS = [
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
] as const;

async function read(bytes: Buffer, pieceBytes = 1000) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const unpacked = await unpack("test-file", Readable.from(pieces));
  const text = Buffer.concat(await Array.fromAsync(unpacked.chunks));
  return { text, packing: unpacked.packing, bytesRead: unpacked.bytesRead() };
}

describe.each(PACKERS)("%s", (packing, pack) => {
  const packed = pack(TEXT);

  test.each([
    ["that ends in the middle", packed.subarray(0, packed.length / 2), /is cut off: .*near byte [\d,]+ of/],
    ["that lacks its last bytes", packed.subarray(0, -3), "is cut off"],
    ["of which only the magic bytes are there", packed.subarray(0, 4), "is cut off"],
    ["with a wrong byte", Buffer.from(packed).fill(7, 5_000, 5_050), "is broken"],
    ["whose second part is cut off", Buffer.concat([packed, packed.subarray(0, 9_000)]), "is cut off"],
    ["with something else behind it", Buffer.concat([packed, Buffer.from("more")]), "is broken"],
  ])("a file %s is refused by its name", async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes)).rejects.toThrow(`test-file`);
    await expect(read(bytes)).rejects.toThrow(packing);
  });

  test("is detected by its first bytes and decompressed, while the compressed bytes are counted", async () => {
    expect(await read(packed)).toEqual({ text: TEXT, packing, bytesRead: packed.length });
  });

  test("concatenated parts are one text", async () => {
    const { text } = await read(Buffer.concat([packed, packed]), packed.length);
    expect(text).toEqual(Buffer.concat([TEXT, TEXT]));
  });
});

test.each([[""], ["a"], ["\u001F"], ["(µ/ý"]])("bytes that are not packed pass: %j", async (text) => {
  expect(await read(Buffer.from(text), 1)).toMatchObject({ text: Buffer.from(text), packing: undefined });
});

test("the text does not depend on how the bytes are split", () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 5_000 }),
      fc.constantFrom(gzipSync, zstdCompressSync),
      fc.integer({ min: 1, max: 100 }),
      async (bytes, pack, pieceBytes) => {
        expect((await read(pack(bytes), pieceBytes)).text).toEqual(Buffer.from(bytes));
      },
    ),
  ));

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** What a page is made of, under the path it is asked for by. */
export interface Asset {
  readonly path: string;
  readonly contentType: string;
  /** A strong validator, in quotes. */
  readonly etag: string;
  /** The bytes in the encoding that the browser takes; made with the first request for them and kept. */
  read(encoding: Encoding): Promise<Buffer>;
}

export type Encoding = "br" | "gzip" | "identity";

const compress = {
  br: promisify(brotliCompress) as (bytes: Buffer) => Promise<Buffer>,
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
} as const;

interface AssetSource {
  readonly path: string;
  readonly contentType: string;
  /** What the validator is made of: anything that changes when the bytes do. */
  readonly origin: string;
  /** The bytes; asked for once. */
  readonly build: () => Buffer;
}

/** An asset whose bytes are made when somebody first asks for them. */
export function createAsset({ path, contentType, origin, build }: AssetSource): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  let plain: Buffer | undefined;
  const make = async (encoding: Encoding): Promise<Buffer> => {
    plain ??= build();
    return encoding === "identity" ? plain : compress[encoding](plain);
  };
  return {
    path,
    contentType,
    etag: `"${hash(origin)}"`,
    read: (encoding) => made.getOrInsertComputed(encoding, make),
  };
}

/** Enough of a hash to tell versions of a file apart. */
export function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

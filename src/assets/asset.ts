import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** What stays the same for as long as the server runs: a file of a page, a page, the OpenAPI document. */
export interface Asset {
  /** The path it is asked for by. */
  readonly path: string;
  readonly contentType: string;
  /** A strong validator, in quotes. */
  readonly etag: string;
  /** The bytes in the encoding that the caller takes; made with the first request for them and kept. */
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
  /** What the validator is made of: it changes when the bytes do. */
  readonly origin: string | Buffer;
  /** Makes the bytes of the origin; called once. They are the origin itself when absent. */
  readonly build?: () => Buffer;
  /** Packed beforehand. */
  readonly packed?: Readonly<Record<"br" | "gzip", Buffer>>;
}

/** An asset whose bytes are made, and packed, when somebody first asks for them. */
export function createAsset({ path, contentType, origin, build, packed }: AssetSource): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  let plain: Buffer | undefined;
  const make = async (encoding: Encoding): Promise<Buffer> => {
    plain ??= build?.() ?? Buffer.from(origin);
    return encoding === "identity" ? plain : (packed?.[encoding] ?? compress[encoding](plain));
  };
  return {
    path,
    contentType,
    etag: `"${hash(origin)}"`,
    read: (encoding) => made.getOrInsertComputed(encoding, make),
  };
}

/** Enough of a hash to tell versions of a file apart. */
export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

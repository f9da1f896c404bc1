import { open, type FileHandle } from "node:fs/promises";
import parseRange from "range-parser";
import { unknownRoute } from "../../errors.ts";
import type { HttpContext, HttpMiddleware } from "../request-state.ts";

/** Below the address of the page. */
export const TILES_PATH = "tiles.pmtiles";

/** The page notices a new file by its ETag, and then reads all of it anew. Nobody may change its bytes. */
const CACHE_CONTROL = "public, max-age=3600, no-transform";

/**
 * `GET /tiles.pmtiles`: the file of map tiles, of which the page reads some parts. It needs no key, like the other files of
 * the page, and counts towards no limit.
 */
export function mapTilesRoute(findPath: () => Promise<string | undefined>): HttpMiddleware {
  return async (ctx) => {
    const path = await findPath();
    const file = path === undefined ? undefined : await openFile(path);
    if (!file) throw unknownRoute();
    let isSent = false;
    try {
      isSent = await send(ctx, file);
    } finally {
      if (!isSent) await file.close();
    }
  };
}

/** `undefined` when the file has been removed since the start. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Resolves to whether a stream now owns the file. */
async function send(ctx: HttpContext, file: FileHandle): Promise<boolean> {
  const { size, mtimeMs, ino } = await file.stat();
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`;
  ctx.set({ "Accept-Ranges": "bytes", "Cache-Control": CACHE_CONTROL, ETag: etag });
  // The same for all keys and languages; only the headers for other origins differ.
  ctx.set("Vary", "Origin");
  ctx.type = "application/vnd.pmtiles";
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return false;
  }
  const range = chooseRange(ctx, size, etag);
  if (range === "unsatisfiable") {
    ctx.set("Content-Range", `bytes */${size}`);
    ctx.status = 416;
    ctx.body = "";
    return false;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${start}-${end}/${size}`);
  }
  ctx.length = end - start + 1;
  if (ctx.method === "HEAD") return false;
  // Closes the file at its end, or when the caller hangs up.
  ctx.body = file.createReadStream({ start, end });
  return true;
}

type Range = { readonly start: number; readonly end: number };

/** `undefined` for the whole file: without a range, with several, and for a part of an older file. */
function chooseRange(ctx: HttpContext, size: number, etag: string): Range | "unsatisfiable" | undefined {
  const wanted = ctx.get("range");
  const ifRange = ctx.get("if-range");
  if (wanted === "" || (ifRange !== "" && ifRange !== etag)) return undefined;
  const ranges = parseRange(size, wanted);
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}

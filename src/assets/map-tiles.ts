import { open, type FileHandle } from "node:fs/promises";
import { PMTiles, TileType, type Header, type Source } from "pmtiles";
import { ConfigError } from "../errors.ts";

/** A file of vector tiles that this server sends to the map page. */
export interface MapTiles {
  readonly path: string;
  /** The last zoom with tiles; closer, the page enlarges them. */
  readonly maxZoom: number;
  /** Whom the file asks to credit, as plain text. */
  readonly attribution: string;
  /** Streets alone, for a map that the page draws itself. */
  readonly isOverlay?: boolean;
}

/** The version of the format that every writer has used since 2022. */
const SPEC_VERSION = 3;

/**
 * Reads what the map page needs to know of a PMTiles file.
 * @throws {ConfigError} when there is no such file, or it is none that the page can draw.
 */
export async function readMapTiles(path: string): Promise<MapTiles> {
  const file = await openFile(path);
  try {
    const archive = new PMTiles(toSource(file, path));
    const header = await readHeader(archive, path);
    const { size } = await file.stat();
    const problem = findProblem(header, size);
    if (problem) throw wrongFile(path, problem);
    const metadata = await archive.getMetadata().catch(() => ({}));
    return { path, maxZoom: header.maxZoom, attribution: readAttribution(metadata) };
  } finally {
    await file.close();
  }
}

const wrongFile = (path: string, problem: string, cause?: unknown): ConfigError =>
  new ConfigError(`TILES_URL names ${path}, but ${problem}.`, { cause });

const OPEN_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this server may not read it",
};

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw wrongFile(path, OPEN_PROBLEMS[code] ?? message, error);
  }
}

const toSource = (file: FileHandle, path: string): Source => ({
  getKey: () => path,
  async getBytes(offset, length) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return { data: new Uint8Array(buffer.subarray(0, bytesRead)).buffer };
  },
});

async function readHeader(archive: PMTiles, path: string): Promise<Header> {
  try {
    return await archive.getHeader();
  } catch (error) {
    throw wrongFile(path, "it is not a PMTiles file", error);
  }
}

function findProblem(header: Header, size: number): string | undefined {
  if (header.specVersion !== SPEC_VERSION)
    return `it is a PMTiles file of version ${header.specVersion}, and the map reads version ${SPEC_VERSION}`;
  if (header.tileType !== TileType.Mvt)
    return "it has pictures or unknown tiles, and the map draws vector tiles";
  const end = header.tileDataOffset + (header.tileDataLength ?? 0);
  return size < end ? `it is cut off: it has ${size} of ${end} bytes` : undefined;
}

/** Archives credit in HTML; the page shows text. */
function readAttribution(metadata: unknown): string {
  const { attribution } = (metadata ?? {}) as { attribution?: unknown };
  if (typeof attribution !== "string") return "";
  return attribution
    .replace(/<[^<>]*>/g, "")
    .replace(/&copy;/g, "©")
    .replace(/&amp;/g, "&")
    .trim();
}

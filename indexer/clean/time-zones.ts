import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { onFirstUse } from "../large-libraries.ts";

/** The table of zones, which `node script/time-zones.ts` makes: names in a line, then a tree of cells, depth first. */
export const TIME_ZONES_FILE = new URL("time-zones.br", import.meta.url);

/** Before the four quarters of a cell, from south-west to north-east. */
export const SPLIT = 0;

/** A cell on the high seas. Larger bytes begin the number of a zone. */
export const SEA = 1;

interface ZoneTree {
  readonly names: readonly string[];
  /** Of each cell: the number of its first quarter, the other three follow; or, below zero, -1 for the sea and -2 - n for zone n. */
  readonly cells: Int32Array;
}

const readTree = onFirstUse((): ZoneTree => {
  const content = brotliDecompressSync(readFileSync(TIME_ZONES_FILE));
  const end = content.indexOf("\n");
  const names = content.toString("latin1", 0, end).split(" ");
  const cells = new Int32Array(content.length - end);
  let position = end + 1;
  let used = 1;
  const place = (cell: number): void => {
    const byte = content[position++] ?? SEA;
    if (byte === SPLIT) {
      const first = used;
      used += 4;
      cells[cell] = first;
      for (let quarter = 0; quarter < 4; quarter++) place(first + quarter);
    } else cells[cell] = byte === SEA ? -1 : -2 - ((byte - SEA - 1) * 256 + (content[position++] ?? 0));
  };
  place(0);
  return { names, cells: cells.slice(0, used) };
});

const DEGREES_PER_HOUR = 15;

/** The IANA time zone of a point; along borders it may be that of a neighbour up to 600 m away. On the high seas it is `Etc/GMT±n`. */
export function findTimeZone({ latitude, longitude }: Coordinates): string {
  const { names, cells } = readTree();
  let [west, south, width, height] = [-180, -90, 360, 180];
  let cell = cells[0] ?? -1;
  while (cell >= 0) {
    width /= 2;
    height /= 2;
    const isEast = longitude >= west + width;
    const isNorth = latitude >= south + height;
    if (isEast) west += width;
    if (isNorth) south += height;
    cell = cells[cell + Number(isEast) + 2 * Number(isNorth)] ?? -1;
  }
  return cell === -1 ? zoneAtSea(longitude) : (names[-2 - cell] ?? "Etc/UTC");
}

/** The signs of these names are reversed: `Etc/GMT-7` is seven hours ahead. */
function zoneAtSea(longitude: number): string {
  const hours = Math.round(longitude / DEGREES_PER_HOUR);
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

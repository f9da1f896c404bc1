import type { Coordinates } from "../../../src/place/coordinates.ts";

const POINT = 1;

/** The extended form of PostGIS marks Z, M and a reference system with the upper bits of the type. */
const EXTENDED_FLAGS = 0xe000_0000;
const HAS_REFERENCE_SYSTEM = 0x2000_0000;

/** ISO adds 1000 to the type of a geometry with Z, 2000 with M, 3000 with both. */
const ISO_STEP = 1000;

const HEADER_BYTES = 5;
const REFERENCE_SYSTEM_BYTES = 4;
const POINT_BYTES = 16;

/**
 * The position of a point in Well-Known Binary (OGC 06-103r4), of either byte order; Z and M are left aside. `undefined` for
 * any other geometry, an empty point and broken bytes.
 */
export function parseWkbPoint(bytes: Uint8Array): Coordinates | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittleEndian = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittleEndian);
  const start = HEADER_BYTES + (type & HAS_REFERENCE_SYSTEM ? REFERENCE_SYSTEM_BYTES : 0);
  if ((type & ~EXTENDED_FLAGS) % ISO_STEP !== POINT || bytes.length < start + POINT_BYTES) return undefined;
  const longitude = view.getFloat64(start, isLittleEndian);
  const latitude = view.getFloat64(start + POINT_BYTES / 2, isLittleEndian);
  return Number.isNaN(latitude) || Number.isNaN(longitude) ? undefined : { latitude, longitude };
}

/** Far longer than any valid id, so that a hostile one is cheap to reject. */
const MAX_DATA_ID_LENGTH = 128;

const LOOSE_DATA_ID = /^0x0*([0-9a-f]{1,16}):0x0*([0-9a-f]{1,16})$/i;

const MAX_HALF = 2n ** 64n - 1n;

/**
 * Returns the canonical form of a data id: lower case, no leading zeros. Accepts hex digits in either case
 * and leading zeros. Returns `undefined` for text that is not a data id, which is two halves of at most 64
 * bits, joined by a colon.
 */
export function parseDataId(text: string): string | undefined {
  if (text.length > MAX_DATA_ID_LENGTH) return undefined;
  const halves = LOOSE_DATA_ID.exec(text);
  return halves === null ? undefined : `0x${halves[1]}:0x${halves[2]}`.toLowerCase();
}

/**
 * Builds the data id of a place that came without one: the S2 cell of its location, and 64 bits that stay the
 * same as long as its source keeps the same id for it.
 * @throws {RangeError} when a half is negative or wider than 64 bits.
 */
export function buildDataId(cell: bigint, identity: bigint): string {
  return `${toHalf(cell)}:${toHalf(identity)}`;
}

/**
 * The second half of a canonical data id, such as `0x1a2b`. It alone identifies the place; the first half
 * only says where the place was when it was first seen. The engine's document id is made from it.
 */
export function dataIdIdentity(dataId: string): string {
  return dataId.slice(dataId.indexOf(":") + 1);
}

/** The digits of the first half of a canonical data id, such as `31752f` of `0x31752f:0x1a2b`. */
export const locationHalfOf = (dataId: string): string => dataId.slice(HEX_MARK.length, dataId.indexOf(":"));

const HEX_MARK = "0x";

/** The data id of a place as an index keeps it: the digits of the first half, and the second half as its id. */
export const dataIdOf = ({ location_half: half, id }: { location_half: string; id: string }): string =>
  `${HEX_MARK}${half}:${id}`;

function toHalf(half: bigint): string {
  if (half < 0n || half > MAX_HALF) throw new RangeError(`A half of a data id has 64 bits, not ${half}.`);
  return `0x${half.toString(16)}`;
}

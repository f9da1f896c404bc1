/** Far beyond any id that was ever written, so that a hostile one costs nothing. */
const MAX_DATA_ID_LENGTH = 128;

const LOOSE_DATA_ID = /^0x0*([0-9a-f]{1,16}):0x0*([0-9a-f]{1,16})$/i;

const MAX_HALF = 2n ** 64n - 1n;

/**
 * The canonical form (lower case, no leading zeros) of an id as people and programs write it: either case of hex, leading
 * zeros. `undefined` when the text is no data id: two halves of at most 64 bits, joined by a colon.
 */
export function parseDataId(text: string): string | undefined {
  if (text.length > MAX_DATA_ID_LENGTH) return undefined;
  const halves = LOOSE_DATA_ID.exec(text);
  return halves === null ? undefined : `0x${halves[1]}:0x${halves[2]}`.toLowerCase();
}

/**
 * The data id of a place that brought none: the S2 cell of its location, and 64 bits that stay the same for as long as its
 * source calls it by the same id.
 * @throws {RangeError} when a half is negative or wider than 64 bits.
 */
export function buildDataId(cell: bigint, identity: bigint): string {
  return `${toHalf(cell)}:${toHalf(identity)}`;
}

/**
 * The second half of a canonical data id, such as `0x1a2b`. It alone says which place is meant: the first half is only where
 * the place was when it was first seen. The engine's document id is made of it.
 */
export function dataIdIdentity(dataId: string): string {
  return dataId.slice(dataId.indexOf(":") + 1);
}

function toHalf(half: bigint): string {
  if (half < 0n || half > MAX_HALF) throw new RangeError(`A half of a data id has 64 bits, not ${half}.`);
  return `0x${half.toString(16)}`;
}

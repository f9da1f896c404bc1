/** One field of a protocol buffer message: a number, or the bytes of a text, a list or a message. */
export interface ProtobufField {
  readonly number: number;
  readonly value: number | Buffer;
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * The fields of a message in their order. Numbers that take more than 53 bits lose their last digits.
 * @throws {RangeError} when the bytes are no such message.
 */
export function* readFields(bytes: Buffer): Generator<ProtobufField> {
  const position = { at: 0 };
  while (position.at < bytes.length) {
    const tag = readVarint(bytes, position);
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === VARINT) yield { number, value: readVarint(bytes, position) };
    else {
      const length = lengthOf(kind, bytes, position);
      if (position.at + length > bytes.length) throw new RangeError("a field is longer than its message");
      yield { number, value: bytes.subarray(position.at, (position.at += length)) };
    }
  }
}

function lengthOf(kind: number, bytes: Buffer, position: { at: number }): number {
  if (kind === LENGTH_DELIMITED) return readVarint(bytes, position);
  if (kind === FIXED_64) return 8;
  if (kind === FIXED_32) return 4;
  throw new RangeError(`a field is of the unknown kind ${kind}`);
}

const MAX_VARINT_BYTES = 10;

function readVarint(bytes: Buffer, position: { at: number }): number {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = bytes[position.at];
    if (byte === undefined) break;
    position.at += 1;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw new RangeError("a number does not end");
}

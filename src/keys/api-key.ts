import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** The two parts of a key `hab_<id>_<secret>`. The id is public: it stands in logs and lists. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lower case and digits only, so that an id can be read aloud and typed. */
const ID_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** 62 bits: ids of a million keys do not meet. */
const ID_LENGTH = 12;

/** 43 digits of base 62 are 256 bits, as many as 32 random bytes. */
const RANDOM_LENGTH = 43;

/** 32 bits in base 62. */
const CHECKSUM_LENGTH = 6;

const ID_PATTERN = new RegExp(`^[0-9a-z]{${ID_LENGTH}}$`);

const KEY_PATTERN = new RegExp(
  `^hab_([0-9a-z]{${ID_LENGTH}})_([0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}})$`,
);

const randomDigits = (digits: string, length: number): string =>
  Array.from({ length }, () => digits[randomInt(digits.length)]).join("");

/** A new id, which nobody has yet but by a chance not worth naming. */
export const createKeyId = (): string => randomDigits(ID_DIGITS, ID_LENGTH);

/** A new secret for an id, with the checksum of both at its end. */
export function createSecret(id: string): string {
  const random = randomDigits(DIGITS, RANDOM_LENGTH);
  return random + checksumOf(id, random);
}

export const formatApiKey = ({ id, secret }: ApiKey): string => `hab_${id}_${secret}`;

/** Whether a text has the form of an id. */
export const isKeyId = (text: string): boolean => ID_PATTERN.test(text);

/** The parts of a key; undefined for what we cannot have made: another form, or a checksum that a typing error has broken. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, id, secret] = KEY_PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const random = secret.slice(0, RANDOM_LENGTH);
  return secret.slice(RANDOM_LENGTH) === checksumOf(id, random) ? { id, secret } : undefined;
}

/** SHA-256, all that is kept of a secret. It has 256 random bits, so there is nothing a slow hash could protect. */
export const hashSecret = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** CRC-32 of all that stands before it, in base 62. No secret: it tells keys from look-alikes, for us and for scanners. */
function checksumOf(id: string, random: string): string {
  let rest = crc32(`hab_${id}_${random}`);
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = `${DIGITS[rest % DIGITS.length]}${text}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}

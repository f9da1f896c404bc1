/**
 * An import cannot go on: a file that cannot be read, an index that fails its check. The message is for the person at the
 * terminal and needs no stack; the live index is untouched.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** A command for keys cannot be done. The message is for the person at the terminal and needs no stack. */
export class KeysError extends Error {
  override readonly name = "KeysError";
}

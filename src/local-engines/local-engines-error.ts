/** The engines cannot be had. The message is for the person at the terminal and says what to do about it. */
export class LocalEnginesError extends Error {
  override readonly name = "LocalEnginesError";
}

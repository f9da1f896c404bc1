import type { Input } from "./sources/input.ts";

export type InputBytes = Pick<Input, "totalBytes" | "bytesRead">;

/** How much of the inputs was read; the total is `undefined` when one has no known length. */
export function countBytes(inputs: readonly InputBytes[]): { read: number; total: number | undefined } {
  let read = 0;
  let total: number | undefined = 0;
  for (const input of inputs) {
    read += input.bytesRead();
    if (total !== undefined) total = input.totalBytes === undefined ? undefined : total + input.totalBytes;
  }
  return { read, total };
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * What makes V8 collect its garbage now. DuckDB's chunks and texts lie outside V8's heap and are let go when their handles are
 * collected; since V8 sees the small handles only, hundreds of megabytes pile up before it thinks of it.
 */
export function createCollectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

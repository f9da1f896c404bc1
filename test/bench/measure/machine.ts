import { cpus, totalmem } from "node:os";
import { indexingFingerprint } from "../data/code-fingerprint.ts";

const BYTES_PER_GIGABYTE = 1024 ** 3;

/** What absolute numbers depend on. */
export interface Machine {
  readonly at: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Tells apart indexes that were built by different code. */
  readonly indexingCode: string;
}

export function describeMachine(): Machine {
  return {
    at: Temporal.Now.instant().toString({ smallestUnit: "second" }),
    node: process.version,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / BYTES_PER_GIGABYTE),
    indexingCode: indexingFingerprint(),
  };
}

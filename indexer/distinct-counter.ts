import { hash } from "node:crypto";

/** 2^14 registers of one byte: a standard error of 1.04 / √16384, which is 0.8 %. */
const REGISTER_BITS = 14;
const REGISTERS = 2 ** REGISTER_BITS;

/** The constant that corrects the bias of the harmonic mean for this many registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

export interface DistinctCounter {
  add(text: string): void;
  /** About how many different texts there were. */
  estimate(): number;
}

/**
 * Counts different texts without remembering them (HyperLogLog, Flajolet and others 2007), so that an import of any length
 * knows how many places the index must hold although records may repeat.
 */
export function createDistinctCounter(): DistinctCounter {
  const registers = new Uint8Array(REGISTERS);
  return {
    add(text) {
      const digest = hash("sha1", text, "buffer");
      const register = digest.readUInt16BE(0) >> (16 - REGISTER_BITS);
      const rank = Math.clz32(digest.readUInt32BE(4)) + 1;
      registers[register] = Math.max(registers[register] ?? 0, rank);
    },
    estimate() {
      const raw = (ALPHA * REGISTERS ** 2) / registers.reduce((sum, rank) => sum + 2 ** -rank, 0);
      const empty = registers.reduce((count, rank) => count + (rank === 0 ? 1 : 0), 0);
      // Linear counting is the better estimate while many registers are still empty.
      return raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw;
    },
  };
}

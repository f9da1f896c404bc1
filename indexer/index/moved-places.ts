import { hash } from "node:crypto";

/** Twelve bits for each expected place, four of which are looked at: one place of 300 is found without being moved. */
const BITS_PER_PLACE = 12;
const PROBES = 4;
const SMALLEST_BITS = 1 << 20;

/**
 * Finds the places that the input has twice, in different partitions: the later record counts, and the earlier one must go. What
 * has been seen is kept in two Bloom filters, so a place that only seems to have been seen may be found too.
 */
export function createMovedPlaces(expectedPlaces: number) {
  const places = createBits(expectedPlaces);
  const placesInPartition = createBits(expectedPlaces);
  let moved = new Map<string, number>();
  return {
    /** A place of the input, in its order. */
    meet(identity: string, partition: number): void {
      const wasSeen = places.add(identity);
      const wasSeenHere = placesInPartition.add(`${identity} ${partition}`);
      if (moved.has(identity) || (wasSeen && !wasSeenHere)) moved.set(identity, partition);
    },
    /** Those that may be in several partitions, each with the one where it belongs, since the last call. */
    take(): ReadonlyMap<string, number> {
      const taken = moved;
      moved = new Map();
      return taken;
    },
  };
}

function createBits(expected: number) {
  const bits = Math.max(SMALLEST_BITS, expected * BITS_PER_PLACE);
  const words = new Uint32Array(Math.ceil(bits / 32));
  return {
    /** Whether the text seems to have been added before. */
    add(text: string): boolean {
      const digest = hash("sha1", text, "buffer");
      let wasThere = true;
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = digest.readUInt32LE(probe * 4) % (words.length * 32);
        const mask = 1 << (bit & 31);
        const word = words[bit >>> 5] ?? 0;
        wasThere &&= (word & mask) !== 0;
        words[bit >>> 5] = word | mask;
      }
      return wasThere;
    },
  };
}

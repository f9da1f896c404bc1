import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { readLines } from "../sources/lines.ts";

/** How a record of the snapshot compares with the index. */
type Verdict = "new" | "changed" | "same";

/**
 * All places of an index, in some dozens of bytes each: the data id, a hash that distinguishes its versions, and that of the
 * record it was made of, where it is known.
 */
export type PlaceTable = ReturnType<typeof createPlaceTable>;

/** 32-bit numbers in a slot: two each for the identity, the first half of the data id, and the two hashes. */
const WORDS = 8;
const FIRST_HALF = 2;
const HASH = 4;
const DRAFT = 6;

/** The hash of a record that is not known. */
const NO_HASH = "0x0";

const EMPTY = 0;
const UNMET = 1;
const MET = 2;
/** The place is only in the snapshot. */
const ADDED = 3;

/** An open hash table gets slow when it is fuller than this. */
const MAX_LOAD = 0.7;

const SMALLEST = 1024;

/**
 * An open hash table over typed arrays. A million places take 66 MB; objects and strings would take ten times
 * as much. `expected` is the approximate number of places.
 */
export function createPlaceTable(expected: number) {
  let slots = createSlots(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(expected / MAX_LOAD + 1))));
  let size = 0;

  const insert = (dataId: string, contentHash: string, draftHash: string, state: number): void => {
    if (size >= slots.capacity * MAX_LOAD) slots = grow(slots);
    const slot = slots.find(...toWords(dataIdIdentity(dataId)));
    if (slots.states[slot] === EMPTY) size += 1;
    slots.states[slot] = state;
    slots.set(slot, 0, dataIdIdentity(dataId));
    slots.set(slot, FIRST_HALF, dataId.slice(0, dataId.indexOf(":")));
    slots.set(slot, HASH, `0x${contentHash}`);
    slots.set(slot, DRAFT, draftHash);
  };

  /** Whether it was met before. */
  const meetSlot = (slot: number): boolean => {
    if (slots.states[slot] !== UNMET) return true;
    slots.states[slot] = MET;
    return false;
  };

  return {
    /** Adds a place of the index. */
    add(dataId: string, contentHash: string, draftHash = "0"): void {
      insert(dataId, contentHash, `0x${draftHash}`, UNMET);
    },
    /** The data id by which the index knows the place. */
    dataIdOf(identity: string): string | undefined {
      const slot = slots.find(...toWords(identity));
      if (slots.states[slot] === EMPTY) return undefined;
      return `${slots.get(slot, FIRST_HALF)}:${identity}`;
    },
    /**
     * Compares a place of the snapshot with its latest known version, and stores the new one. `isRepeated` is
     * true when the snapshot had the place before.
     */
    meet(dataId: string, contentHash: string): { readonly verdict: Verdict; readonly isRepeated: boolean } {
      const slot = slots.find(...toWords(dataIdIdentity(dataId)));
      if (slots.states[slot] === EMPTY) {
        insert(dataId, contentHash, NO_HASH, ADDED);
        return { verdict: "new", isRepeated: false };
      }
      const verdict = slots.get(slot, HASH) === normalHex(contentHash) ? "same" : "changed";
      slots.set(slot, HASH, `0x${contentHash}`);
      return { verdict, isRepeated: meetSlot(slot) };
    },
    /**
     * Compares a record of the snapshot with that of which the index has made the place. After another record, those of the same
     * place are compared by what they are cleaned to.
     */
    meetDraft(identity: string, draftHash: string | undefined) {
      const slot = slots.find(...toWords(identity));
      const isKnown = draftHash !== undefined && slots.get(slot, DRAFT) === normalHex(draftHash);
      if (!isKnown) slots.set(slot, DRAFT, NO_HASH);
      return { isKnown, isRepeated: isKnown && meetSlot(slot) };
    },
    /** How many places of the index the snapshot has, and how many it lacks. */
    counts: () => ({ met: slots.count(MET), unmet: slots.count(UNMET) }),
    /** The identities of the places that the snapshot lacks. */
    unmet: () => slots.identities(UNMET),
  };
}

function createSlots(capacity: number) {
  const words = new Uint32Array(capacity * WORDS);
  const states = new Uint8Array(capacity);
  return {
    capacity,
    states,
    words,
    /** The slot that holds these words, or the one for storing them. */
    find(high: number, low: number): number {
      let slot = mix(high, low) & (capacity - 1);
      while (states[slot] !== EMPTY && (words[slot * WORDS] !== high || words[slot * WORDS + 1] !== low))
        slot = (slot + 1) & (capacity - 1);
      return slot;
    },
    set(slot: number, offset: number, hex: string): void {
      const [high, low] = toWords(hex);
      words[slot * WORDS + offset] = high;
      words[slot * WORDS + offset + 1] = low;
    },
    count: (state: number): number => states.reduce((sum, other) => sum + (other === state ? 1 : 0), 0),
    /** The identities of the slots in this state. */
    *identities(state: number): Generator<string> {
      for (let slot = 0; slot < capacity; slot += 1) if (states[slot] === state) yield this.get(slot, 0);
    },
    /** Formats the words as `0x` and hexadecimal digits without leading zeros. */
    get(slot: number, offset: number): string {
      const high = words[slot * WORDS + offset] ?? 0;
      const low = words[slot * WORDS + offset + 1] ?? 0;
      return high === 0
        ? `0x${low.toString(16)}`
        : `0x${high.toString(16)}${low.toString(16).padStart(8, "0")}`;
    },
  };
}

function grow(old: ReturnType<typeof createSlots>): ReturnType<typeof createSlots> {
  const slots = createSlots(old.capacity * 2);
  for (let from = 0; from < old.capacity; from += 1) {
    if (old.states[from] === EMPTY) continue;
    const to = slots.find(old.words[from * WORDS] ?? 0, old.words[from * WORDS + 1] ?? 0);
    slots.words.set(old.words.subarray(from * WORDS, (from + 1) * WORDS), to * WORDS);
    slots.states[to] = old.states[from] ?? EMPTY;
  }
  return slots;
}

/** Hexadecimal digits in 32 bits. */
const WORD_DIGITS = 8;

/** The two words of `0x` and up to 16 hexadecimal digits. */
function toWords(hex: string): [high: number, low: number] {
  const cut = Math.max(2, hex.length - WORD_DIGITS);
  return [Number.parseInt(hex.slice(2, cut), 16) || 0, Number.parseInt(hex.slice(cut), 16) || 0];
}

const normalHex = (digits: string): string => `0x${digits.replace(/^0+(?=.)/, "")}`;

/** Spreads consecutive ids as well (the finalizer of MurmurHash3). */
function mix(high: number, low: number): number {
  return finalize(finalize(high) + low);
}

function finalize(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Keeps places on disk until it is certain that they will be written. */
export type Spool = Awaited<ReturnType<typeof createSpool>>;

/** A stored place is somewhat longer than its line of input. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Creates a compressed file in the folder, or in the system's temporary folder when there is no such folder.
 * It has no name, so it disappears with the process.
 */
export async function createSpool(folder: string) {
  const ownFolder = await mkdtemp(join(folder, "spool-")).catch(() =>
    mkdtemp(join(tmpdir(), "hereabouts-spool-")),
  );
  const file = await open(join(ownFolder, "places"), "w+", 0o600);
  await rm(ownFolder, { recursive: true });
  const zip = createZstdCompress();
  const written = (async () => {
    for await (const chunk of zip) await file.appendFile(chunk as Buffer);
  })();
  // The next call of `put` or `read` reports the error.
  written.catch(() => {});
  return {
    async put(place: PlaceDocument): Promise<void> {
      if (!zip.write(`${JSON.stringify(place)}\n`)) await Promise.race([once(zip, "drain"), written]);
    },
    /** All places in their order. No place can be added afterwards. */
    async *read(): AsyncGenerator<PlaceDocument> {
      zip.end();
      await written;
      const stored = file.createReadStream({ start: 0, autoClose: false });
      for await (const line of readLines(stored.pipe(createZstdDecompress()), MAX_LINE_BYTES))
        if ("text" in line) yield JSON.parse(line.text) as PlaceDocument;
    },
    async close(): Promise<void> {
      zip.destroy();
      await written.catch(() => {});
      await file.close();
    },
  };
}

import { hash } from "node:crypto";
import { fold } from "../place/text/fold.ts";

/** How often a query was searched since the last writing, in its folded form. */
export interface NotedQuery {
  readonly query: string;
  readonly searches: number;
  /** Of these, how many found nothing. */
  readonly empty: number;
  /** Who searched: values that only tell callers apart. Redis keeps no list of them, just enough to estimate how many there are. */
  readonly callers: readonly string[];
}

/** A search, as it is noted. */
export interface Searched {
  readonly query: string;
  readonly foundNothing: boolean;
  /** Who searched, by key and address. Only a hash leaves this process. */
  readonly caller: string;
}

/** Notes what is searched, when QUERY_LOG is on. */
export interface QueryNotes {
  /** Returns at once, and never throws. */
  readonly note: (searched: Searched) => void;
  /** Writes what is left and stops. Never rejects. */
  readonly close: () => Promise<void>;
}

interface QueryNotesOptions {
  /** Stores queries of a UTC date. May reject: then they are lost. */
  readonly write: (date: string, noted: readonly NotedQuery[]) => Promise<void>;
  readonly now: () => Temporal.Instant;
  readonly flushMs?: number;
}

/** Counts may be a little old; one command in this time and process is hardly any work. */
const FLUSH_MS = 5_000;

/** More different queries between two writings are left out. */
const MAX_NOTED = 1_000;

/** Redis works on one part for a millisecond, and does nothing else. */
const WRITTEN_AT_ONCE = 100;

/** Longer texts are pasted. Hardly two callers paste the same. */
const MAX_LETTERS = 60;

/** Enough to tell whether there are as many callers as a query needs to be shown. */
const MAX_CALLERS = 5;

const CALLER_LETTERS = 16;

interface Note {
  searches: number;
  empty: number;
  readonly callers: Set<string>;
}

/** Collects searches in memory and writes them together, after their responses. */
export function createQueryNotes({ write, now, flushMs = FLUSH_MS }: QueryNotesOptions): QueryNotes {
  let notes = new Map<string, Note>();

  const flush = async (): Promise<void> => {
    const noted = [...notes].map(([query, note]) => ({ query, ...note, callers: [...note.callers] }));
    notes = new Map();
    const date = now().toString().slice(0, 10);
    for (let start = 0; start < noted.length; start += WRITTEN_AT_ONCE)
      // The log is no reason to hold up anything; what Redis does not take is lost.
      await write(date, noted.slice(start, start + WRITTEN_AT_ONCE)).catch(() => undefined);
  };
  const timer = setInterval(() => void flush(), flushMs).unref();

  return {
    note({ query: typed, foundNothing, caller }) {
      const query = fold(typed);
      if (query === "" || query.length > MAX_LETTERS) return;
      const note = notes.get(query) ?? { searches: 0, empty: 0, callers: new Set() };
      if (note.searches === 0 && notes.size >= MAX_NOTED) return;
      notes.set(query, note);
      note.searches += 1;
      if (foundNothing) note.empty += 1;
      if (note.callers.size < MAX_CALLERS) note.callers.add(hash("sha256", caller).slice(0, CALLER_LETTERS));
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

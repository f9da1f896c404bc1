import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createTally, type ImportTally } from "../../../indexer/clean/import-tally.ts";
import type { Coordination } from "../../../indexer/session/coordination.ts";
import { importPlaces } from "../../../indexer/import/import-places.ts";
import { openIndexAdmin } from "../../../indexer/index/index-admin.ts";
import { closeSources, openSources } from "../../../indexer/sources/open-sources.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";

/** Records along the coast of Viet Nam, from south to north: neighbours in the list are neighbours. */
export const recordOf = (id: number, facts: { title?: string; latitude?: number } = {}): object => ({
  title: facts.title ?? `Quán số ${id}`,
  source: "test",
  source_id: `place/${id}`,
  location: { latitude: facts.latitude ?? 9 + id / 10, longitude: 106.7 },
});

export const records = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => recordOf(index + 1));

export interface ImportOptions {
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly merge?: boolean;
  readonly signal?: AbortSignal;
  readonly coordination?: Coordination;
  readonly stdin?: boolean;
  /** The name of the files' folder, for an import that is to read the same files. */
  readonly folder?: string;
  /** Hears what is said. What it throws fails the import. */
  readonly onSay?: (text: string) => void;
}

export interface Imported {
  readonly places: number;
  readonly tally: ImportTally;
  readonly said: readonly string[];
}

/** Imports files of records into the index of several engines, or of one. */
export async function importRecords(
  topology: Topology,
  files: readonly (readonly object[])[],
  options: ImportOptions = {},
): Promise<Imported> {
  const base = mkdtempSync(join(tmpdir(), "hereabouts-records-"));
  const folder =
    options.folder === undefined ? base : join(tmpdir(), `hereabouts-${process.pid}-${options.folder}`);
  mkdirSync(folder, { recursive: true });
  const { signal = new AbortController().signal, onSay = () => {}, coordination } = options;
  const texts = files.map((lines) => lines.map((line) => JSON.stringify(line)).join("\n"));
  const paths = texts.map((text, number) => {
    const path = join(folder, `${number}.jsonl`);
    // One that is there already keeps its date.
    if (!existsSync(path)) writeFileSync(path, text);
    return path;
  });
  const stdin = Readable.from(options.stdin ? [Buffer.from(texts[0] ?? "")] : []);
  const said: string[] = [];
  const say = (text: string): void => {
    said.push(text);
    onSay(text);
  };
  const tally = createTally();
  const sources = await openSources(options.stdin ? ["-"] : paths, { signal, stdin });
  try {
    const places = await importPlaces(sources, {
      index: topology,
      tally,
      maxRejectsPercent: 1,
      today: Temporal.PlainDate.from("2026-11-20"),
      resume: options.resume ?? false,
      force: options.force ?? false,
      ...(coordination && { coordination }),
      ...(options.merge && { mergeFolder: folder }),
      interruption: { signal, finishUndisturbed: () => {} },
      progress: { begin: (_: string, text: string) => say(text), say, stop: () => {} },
      say,
    });
    return { places, tally, said };
  } finally {
    closeSources(sources);
    rmSync(base, { recursive: true, force: true });
    if (options.resume) rmSync(folder, { recursive: true, force: true });
  }
}

/** All places of an index, by partition, and how often each is there. */
export async function readEverything(
  topology: Topology,
  role: "live" | "previous" = "live",
): Promise<PlaceDocument[]> {
  const admin = openIndexAdmin(topology);
  try {
    return (await Array.fromAsync(admin.streamPlaces(role))).flat();
  } finally {
    await admin.close();
  }
}

export const titlesOf = (places: readonly PlaceDocument[]): string[] =>
  places.map(({ title }) => title).toSorted();

/** The states of the replicas of each partition. */
export async function readStates(topology: Topology): Promise<{ partition: number; states: string[] }[]> {
  const admin = openIndexAdmin(topology);
  try {
    return ((await admin.readPartitions("live")) ?? []).map(({ partition, replicas }) => ({
      partition,
      states: replicas.map(({ state }) => state),
    }));
  } finally {
    await admin.close();
  }
}

/** How many places each partition has. */
export async function countByPartition(topology: Topology): Promise<(number | undefined)[]> {
  const admin = openIndexAdmin(topology);
  try {
    return ((await admin.readPartitions("live")) ?? []).map(({ places }) => places);
  } finally {
    await admin.close();
  }
}

import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { NativePlace } from "../bench/dataset.ts";
import { programPath } from "../../test/support/program.ts";

/** The two states of the index. The website of every place says which one it comes from. */
const BUILDS = ["a", "b"] as const;

export type Build = (typeof BUILDS)[number];

export interface Datasets {
  /** Where the files are. */
  readonly folder: string;
  /** The file of each build, native JSON lines. */
  readonly files: Readonly<Record<Build, string>>;
  /** Places of both builds with unique titles. */
  readonly known: readonly NativePlace[];
  /** The data ids of places that only one build has. */
  readonly onlyIn: Readonly<Record<Build, readonly string[]>>;
}

interface DatasetOptions {
  readonly places: number;
  readonly seed: number;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** One of this many places is missing from each build: fewer than an import takes for a mistake. */
const MISSING_FROM_ONE = 50;

const markerOf = (build: Build): string => `https://${build}.soak.example/`;

/** The build that a place of a response comes from; undefined for neither. */
export function buildOf(website: unknown): Build | undefined {
  return BUILDS.find((build) => typeof website === "string" && website.startsWith(markerOf(build)));
}

/** Far from what all others ask. */
export const CHANGED_LOCATION = { latitude: 21.03, longitude: 105.85 };

/** How many places are changed at once. */
export const CHANGED_PLACES = 30;

/**
 * The places that are changed during the run, as lines, all with one title. Both builds have them from the start: with more places an index
 * counts differently, and few words may find others in another order.
 */
export const toChangedPlaces = (title: string): string =>
  Array.from({ length: CHANGED_PLACES }, (_, number) => {
    const location = {
      latitude: CHANGED_LOCATION.latitude + number / 100,
      longitude: CHANGED_LOCATION.longitude,
    };
    return `${JSON.stringify({ data_id: `0x9:0x${(900_000 + number).toString(16)}`, title, location })}\n`;
  }).join("");

/** The title of the changed places after this many changes. */
export const changedTitle = (changes: number): string => `Zwölfter Pflaumenhof ${changes}`;

/**
 * Creates two builds of one dataset. Every place shows which one it belongs to, and a few exist in only one.
 */
export async function makeDatasets(options: DatasetOptions): Promise<Datasets> {
  const records = await readDemoPlaces(options);
  const files = { a: join(options.folder, "a.jsonl"), b: join(options.folder, "b.jsonl") };
  for (const build of BUILDS)
    writeFileSync(files[build], toLines(records, build) + toChangedPlaces(changedTitle(0)));
  const titles = new Map<string, number>();
  for (const { title } of records) titles.set(title, (titles.get(title) ?? 0) + 1);
  const has = (index: number, build: Build): boolean => isInBuild(index, build);
  return {
    folder: options.folder,
    files,
    known: records.filter(
      ({ title }, index) => titles.get(title) === 1 && has(index, "a") && has(index, "b"),
    ),
    onlyIn: {
      a: records.filter((_, index) => !has(index, "b")).map((place) => place.data_id),
      b: records.filter((_, index) => !has(index, "a")).map((place) => place.data_id),
    },
  };
}

const isInBuild = (index: number, build: Build): boolean =>
  index % MISSING_FROM_ONE !== (build === "a" ? 0 : MISSING_FROM_ONE / 2);

function toLines(records: readonly NativePlace[], build: Build): string {
  return records
    .filter((_, index) => isInBuild(index, build))
    .map((place, index) => {
      const contacts = { phone: "", website: `${markerOf(build)}${index}` };
      return `${JSON.stringify({ ...place, contacts })}\n`;
    })
    .join("");
}

async function readDemoPlaces({ places, seed, signal }: DatasetOptions): Promise<NativePlace[]> {
  const args = [
    programPath("indexer/demo/main.ts"),
    "--places",
    String(places),
    "--seed",
    String(seed),
    "--lean",
  ];
  const demo = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], signal });
  const ended = once(demo, "close") as Promise<[number | null]>;
  const records: NativePlace[] = [];
  for await (const line of createInterface({ input: demo.stdout })) {
    const record = JSON.parse(line) as Omit<NativePlace, "data_id">;
    records.push({ ...record, data_id: `0x1:${toIdentity(seed, records.length)}` });
  }
  const [status] = await ended;
  if (status !== 0) throw new Error(`The demo generator ended with status ${status}.`);
  return records;
}

/** Distributed like a real identity, and reproducible for the same number. */
const toIdentity = (seed: number, number: number): string =>
  `0x${BigInt(`0x${hash("sha256", `${seed}/${number}`, "hex").slice(0, 16)}`).toString(16)}`;

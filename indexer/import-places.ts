import { setTimeout as sleep } from "node:timers/promises";
import type { EngineAddress } from "../src/place-index/engine-connection.ts";
import type { IndexBuild } from "../src/place-index/index-build.ts";
import { startIndexBuild } from "../src/place-index/start-index-build.ts";
import { checkIndex } from "./check-index.ts";
import { checkSwap, toList, type SwapOptions } from "./check-swap.ts";
import { fillIndex, type Written } from "./fill-index.ts";
import type { ImportTally } from "./import-tally.ts";
import type { Interruption } from "./interruption.ts";
import type { Progress } from "./progress.ts";
import { checkRejectLimit } from "./reject-limit.ts";
import type { Source } from "./sources/open-sources.ts";
import { untilAborted } from "./until-aborted.ts";

interface ImportOptions extends SwapOptions {
  readonly engine: EngineAddress;
  readonly tally: ImportTally;
  readonly maxRejectsPercent: number;
  readonly today: Temporal.PlainDate;
  readonly interruption: Pick<Interruption, "signal" | "finishUndisturbed">;
  readonly progress: Progress;
  /** Called when all is read and nothing is swapped yet; what it throws fails the import. */
  readonly onRead?: () => void;
}

/**
 * Read → clean → document → build, then check and swap: a new index grows beside the live one and takes its place in the
 * last step. Resolves to the number of places in it.
 * @throws whatever stands in the way, after the half-built index is removed; the live one is untouched then.
 */
export async function importPlaces(sources: readonly Source[], options: ImportOptions): Promise<number> {
  const { engine, interruption, progress } = options;
  const build = await untilAborted(() => startIndexBuild(engine), interruption.signal);
  try {
    const places = await fillAndCheck(sources, build, options);
    interruption.finishUndisturbed(() => progress.say("Too late to stop: the new index is taking over."));
    const isPreviousKept = await build.swap();
    if (!isPreviousKept) progress.say("The new index is live; the one it replaced could not be kept.");
    return places;
  } catch (error) {
    await discard(build, progress);
    throw error;
  }
}

async function fillAndCheck(
  sources: readonly Source[],
  build: IndexBuild,
  options: ImportOptions,
): Promise<number> {
  const { tally, today, interruption, progress } = options;
  const { signal } = interruption;
  const written = await fillIndex(sources, { build, tally, today, signal });
  options.onRead?.();
  checkRejectLimit(tally, options.maxRejectsPercent);
  progress.say(
    `${tally.written.toLocaleString("en")} places are written, waiting for the engine to index them.`,
  );
  const places = await untilAborted(() => build.finish(), signal);
  await untilAborted(() => checkNewIndex(places, written, build), signal);
  progress.say("Comparing the new index with the live one.");
  tally.overridden.push(...(await untilAborted(() => checkSwap(options.engine, options), signal)));
  if (tally.overridden.length > 0) progress.say(`Overridden by --force:\n${toList(tally.overridden)}`);
  return places;
}

async function checkNewIndex(places: number, written: Written, build: IndexBuild): Promise<void> {
  const reader = build.createReader();
  try {
    await checkIndex({ places, written, reader });
  } finally {
    await reader.close();
  }
}

/** A person who presses Ctrl-C waits no longer than this for the engine; the next import removes what is left. */
const DISCARD_MS = 10_000;

async function discard(build: IndexBuild, progress: Progress): Promise<void> {
  const discarded = build.discard().then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([discarded, sleep(DISCARD_MS, false, { ref: false })]);
  if (!isDone) progress.say("The half-built index could not be removed now; the next import does it.");
}

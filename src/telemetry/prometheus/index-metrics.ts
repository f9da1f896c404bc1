import { setTimeout as sleep } from "node:timers/promises";
import { Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import type { IndexState } from "../../place-index/place-index.ts";

interface IndexMetricsOptions {
  readonly registry: Registry;
  readonly readState: () => Promise<IndexState>;
  /** The version of an index that is ready. */
  readonly version: string;
  /** Milliseconds that never jump. */
  readonly clock?: () => number;
}

/** The index changes every few hours; several scrapers together must not keep the engine busy. */
const MAX_AGE_MS = 10_000;

/** A scrape waits this long for the engine and not longer: the other metrics matter most when it hangs. */
const MAX_WAIT_MS = 1_000;

const STATES: readonly IndexState["state"][] = ["ready", "missing", "wrong_version", "unreachable"];

/** Registers what is told of the index. It is read when somebody scrapes, at most every ten seconds. */
export function registerIndexMetrics(options: IndexMetricsOptions): void {
  const { version } = options;
  const readState = createStateReader(options);
  const gauge = <T extends string>(
    { name, help, labelNames }: { name: string; help: string; labelNames?: readonly T[] },
    show: (gauge: Gauge<T>, state: IndexState) => void,
  ): void => {
    new Gauge<T>({
      name,
      help,
      ...(labelNames && { labelNames }),
      registers: [options.registry],
      async collect() {
        const state = await readState();
        // What is not known is left out rather than told from memory. A reset gauge without labels would be 0.
        this.reset();
        if (labelNames === undefined) this.remove();
        show(this, state);
      },
    });
  };

  gauge(
    {
      name: "hereabouts_index_state",
      help: "1 for the state that the index is in.",
      labelNames: ["state"],
    },
    (shown, { state }) => STATES.forEach((each) => shown.set({ state: each }, each === state ? 1 : 0)),
  );
  gauge(
    {
      name: "hereabouts_index_info",
      help: "Always 1; its label is the version of the index's form.",
      labelNames: ["version"],
    },
    (shown, state) => {
      if (state.state === "ready") shown.set({ version }, 1);
      if (state.state === "wrong_version") shown.set({ version: state.found.slice(0, 40) }, 1);
    },
  );
  gauge({ name: "hereabouts_index_places", help: "Places in the index." }, (shown, state) => {
    if (state.state === "ready") shown.set(state.places);
  });
  gauge(
    { name: "hereabouts_index_built_timestamp_seconds", help: "When the index was built, in Unix time." },
    (shown, state) => {
      if (state.state === "ready") shown.set(Date.parse(state.builtAt) / 1000);
    },
  );
}

function createStateReader({ readState, clock = () => performance.now() }: IndexMetricsOptions) {
  const unreachable: IndexState = { state: "unreachable" };
  let known: IndexState = unreachable;
  let readAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<IndexState> | undefined;

  const read = async (): Promise<IndexState> => {
    known = await readState().catch(() => unreachable);
    readAt = clock();
    underWay = undefined;
    return known;
  };

  return (): Promise<IndexState> => {
    if (underWay === undefined && clock() - readAt < MAX_AGE_MS) return Promise.resolve(known);
    underWay ??= read();
    return Promise.race([underWay, sleep(MAX_WAIT_MS, unreachable, { ref: false })]);
  };
}

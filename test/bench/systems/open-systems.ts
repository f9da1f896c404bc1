import type { DataSets } from "../data/data-sets.ts";
import { startOwnApi } from "./own-api.ts";
import { startPostgis } from "./postgis.ts";
import { startPlainEngine } from "./plain-engine.ts";
import { floorSystem, naiveSystem } from "./plain-systems.ts";
import { PLAIN_SYSTEMS, type System, type SystemName } from "./system.ts";

export interface OpenSystems {
  /** In the order of `SYSTEM_NAMES`. */
  readonly systems: readonly System[];
  /** Ends all that was started. */
  readonly stop: () => Promise<void>;
}

/** Starts what the named systems need: one engine for all that ask the plain index, our server with its own engines. */
export async function openSystems(names: readonly SystemName[], data: DataSets): Promise<OpenSystems> {
  const systems: System[] = [];
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const plainNames = names.filter((name) => PLAIN_SYSTEMS.includes(name));
    if (plainNames.length > 0) {
      const engine = await startPlainEngine(data.plainDir);
      closers.push(engine.stop);
      systems.push(
        ...plainNames.map((name) =>
          name === "floor" ? floorSystem(engine) : naiveSystem(engine, name === "naive"),
        ),
      );
    }
    const starts = [
      ...(names.includes("api") ? [() => startOwnApi(data.ownDir)] : []),
      ...(names.includes("postgis") ? [() => startPostgis(data.postgisDir)] : []),
    ];
    for (const start of starts) {
      const { system, stop: close } = await start();
      closers.push(close);
      systems.push(system);
    }
    return { systems, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

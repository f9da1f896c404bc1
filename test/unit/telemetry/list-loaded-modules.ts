import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

/**
 * A program of its own, since a test has loaded half the world already: imports the modules that it is given, starts telemetry with each
 * of the environments and prints, after each, what was loaded by then of the libraries for metrics and traces.
 */
const libraries = new Set<string>();
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\/(@opentelemetry\/[^/]+|@prometheus-io\/[^/]+)\//.exec(url) ?? [];
    if (name !== undefined) libraries.add(name);
    return next(url, context);
  },
});

const load = (path: string): Promise<unknown> =>
  import(pathToFileURL(resolve(import.meta.dirname, "../../../src", path)).href);

const [modules = "[]", environments = "[]"] = process.argv.slice(2);
for (const path of JSON.parse(modules) as string[]) await load(path);
const { readConfig } = (await load("config.ts")) as typeof import("../../../src/config.ts");
const { createLogger } = (await load(
  "telemetry/logger.ts",
)) as typeof import("../../../src/telemetry/logger.ts");
const { startTelemetry } = (await load(
  "telemetry/start-telemetry.ts",
)) as typeof import("../../../src/telemetry/start-telemetry.ts");

const loaded: string[][] = [];
for (const environment of JSON.parse(environments) as Record<string, string>[]) {
  const running = await startTelemetry(readConfig(environment), createLogger({ level: "silent" }));
  await running.stop();
  loaded.push([...libraries].toSorted());
}
console.log(JSON.stringify(loaded));

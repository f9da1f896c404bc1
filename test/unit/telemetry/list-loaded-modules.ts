import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

/**
 * A program of its own, since a test has loaded half the world already: imports all of the server, starts its telemetry with the
 * environment it was given and prints what was loaded of the libraries for metrics and traces.
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

await load("server/serve.ts");
const { readConfig } = (await load("config.ts")) as typeof import("../../../src/config.ts");
const { createLogger } = (await load(
  "telemetry/logger.ts",
)) as typeof import("../../../src/telemetry/logger.ts");
const { startTelemetry } = (await load(
  "telemetry/start-telemetry.ts",
)) as typeof import("../../../src/telemetry/start-telemetry.ts");

const running = await startTelemetry(readConfig(process.env), createLogger({ level: "silent" }));
await running.stop();
console.log(JSON.stringify([...libraries].toSorted()));

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The demo gazetteer could not be made or imported; what went wrong was printed by the program that failed. */
export class DemoImportError extends Error {
  override readonly name = "DemoImportError";
}

interface DemoOptions {
  readonly places: number;
  /** Ends the import; the index stays as it was. */
  readonly signal: AbortSignal;
}

const programPath = (name: string): string =>
  fileURLToPath(new URL(`../../${name}/main.ts`, import.meta.url));

/**
 * Fills an empty index with made-up places, just as a data team fills it with real ones: `demo-data | index import -`. The
 * server never imports the code of the two programs, it runs them; they find its engines through the data directory.
 * @throws {DemoImportError} when one of them fails.
 */
export async function importDemoGazetteer({ places, signal }: DemoOptions): Promise<void> {
  const demo = spawn(process.execPath, [programPath("demo"), "--places", String(places)], {
    stdio: ["ignore", "pipe", "inherit"],
    signal,
  });
  const importer = spawn(process.execPath, [programPath("indexer"), "import", "-", "--format", "native"], {
    stdio: ["pipe", "ignore", "inherit"],
    signal,
  });
  demo.stdout.pipe(importer.stdin);
  // The importer's end is what counts: a pipe that breaks before shows in its exit status.
  importer.stdin.on("error", () => demo.stdout.destroy());
  const [demoStatus, importStatus] = await Promise.all([exitStatus(demo), exitStatus(importer)]);
  signal.throwIfAborted();
  if (demoStatus !== 0) throw new DemoImportError("The demo gazetteer could not be made.");
  if (importStatus !== 0) throw new DemoImportError("The demo gazetteer could not be imported.");
}

async function exitStatus(child: ChildProcess): Promise<number> {
  // A child that is ended by our own signal reports that as an error as well; its exit follows.
  child.on("error", () => {});
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}

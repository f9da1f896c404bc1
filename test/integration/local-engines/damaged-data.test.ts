import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { endOrphans, findFreePorts } from "../../../src/local-engines/own-engines.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { scriptArguments } from "../../support/program.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

const folder = makeEngineFolder("damaged");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = scriptArguments("start");

interface Ending {
  /** What the server prints before it is ended; by default the last line of its banner. */
  readonly at?: string;
  readonly with?: "SIGTERM" | "SIGKILL";
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server on the folder as `npm start` does, ends it when it serves, and returns its output. */
async function runServer(
  demoPlaces: number,
  { at = "Stop: Ctrl-C", with: signal = "SIGTERM", env }: Ending = {},
): Promise<{ status: number | null; output: string }> {
  const [port] = await findFreePorts();
  const server = spawn(process.execPath, START, {
    cwd: folder,
    env: {
      ...nodeEnvironment,
      PORT: String(port),
      DATA_DIR: folder,
      DEMO_PLACES: String(demoPlaces),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await endOrphans(folder, () => {});
  });
  let output = "";
  const listen = (chunk: Buffer): void => {
    output += chunk.toString();
    if (!server.killed && output.includes(at)) server.kill(signal);
  };
  server.stdout.on("data", listen);
  server.stderr.on("data", listen);
  // Not "close": what a killed server has started still holds the other ends of its pipes.
  const [status] = (await once(server, "exit")) as [number | null];
  return { status, output };
}

test("a server that was killed during its first import repeats it at the next start", async () => {
  await runServer(300, { at: "Reading stdin", with: "SIGKILL" });
  const second = await runServer(300);
  expect(second.output).toContain("First start");
  expect(second.output).toContain("serves 300 places");
  expect(second.status).toBe(0);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});

test("a new data directory gets demo places", async () => {
  const first = await runServer(30);
  expect(first.output).toContain("First start");
  expect(first.output).toContain("serves 30 places");
});

test("an existing one keeps its places, with a folder that an engine left while it deleted an index; a configured key is not printed", async () => {
  const left = join(folder, "meilisearch", "indexes", "00000000-0000-4000-8000-000000000000");
  mkdirSync(left);
  writeFileSync(join(left, "lock.mdb"), "");
  const API_KEYS = "a-key-that-nobody-may-read";
  const { status, output } = await runServer(40, { env: { API_KEYS } });
  rmSync(left, { recursive: true });
  expect(output).not.toContain("First start");
  expect(output).toContain("serves 30 places");
  expect(output).toContain("API key: those of API_KEYS");
  expect(output).not.toContain(API_KEYS);
  expect(status).toBe(0);
});

test.each([
  { what: "cut in half", keep: 0.5 },
  { what: "emptied", keep: 0 },
])("a data file that was $what is an error that names the folder and three ways out", async ({ keep }) => {
  const indexes = join(folder, "meilisearch", "indexes");
  const files = readdirSync(indexes).map((name) => join(indexes, name, "data.mdb"));
  const [largest = ""] = files.toSorted((one, other) => statSync(other).size - statSync(one).size);
  const { size } = statSync(largest);
  truncateSync(largest, Math.floor(size * keep));
  const { status, output } = await runServer(30);
  expect(status).toBe(1);
  expect(output).toContain(`The search data in ${folder} is damaged`);
  for (const way of ["restore:", "import again:", "delete:"]) expect(output).toContain(way);
  expect(output).not.toContain("First start");
  expect(statSync(largest).size).toBe(Math.floor(size * keep));
  // As long as it was, for the next case.
  truncateSync(largest, size);
});

import { openLiveIndex } from "../../../indexer/index/live-index.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import type { InputMark } from "../../../src/meilisearch/manifest.ts";
import { putMap } from "../../support/divided-index.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { copyFileSync, utimesSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startS3Server } from "../../support/s3-server.ts";
import { askEngine } from "./live-documents.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("if-changed");

const table = (...names: string[]): string =>
  `name,type,lat,lng\n${names.map((name, row) => `${name},COFFEE,10.77${row},106.68`).join("\n")}\n`;

const path = join(own.folder, "cafes.csv");

beforeEach(() => writeFileSync(path, table("Sông", "Núi")));

/** Runs a command, and tells whether the live index is another one since. */
async function run(command: "import" | "sync", args: readonly string[], env = {}) {
  const before = await readStatus();
  const { exitCode, stdout, stderr } = await runIndex(
    [command, "--if-changed", "--force", "--json", ...args],
    { ...own.env, ...env },
    table("Biển"),
  );
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { outcome } = JSON.parse(stdout) as { outcome: string };
  const { builtAt, writes } = await readStatus();
  return { outcome, stderr, isNew: builtAt !== before.builtAt, isWritten: writes !== before.writes };
}

const runImport = (...args: string[]) => run("import", args);

interface Live {
  readonly indexes: { readonly live: { readonly built_at: string } | null };
  readonly checked_at: string | null;
  readonly runs: readonly { readonly command: string; readonly counts: Readonly<Record<string, number>> }[];
}

async function readStatus() {
  const status = JSON.parse((await runIndex(["status", "--json"], own.env)).stdout) as Live;
  const tasks = await askEngine<{ total: number }>(own.engines.meilisearch, "tasks?limit=1");
  const [lastRun] = status.runs;
  const builtAt = status.indexes.live?.built_at;
  return { builtAt, checkedAt: status.checked_at, lastRun, writes: tasks?.total };
}

/** Brings the live index to that of the file, if a test has left another. */
const start = () => runIndex(["import", path, "--if-changed", "--force"], own.env);

const IMPORTED = { outcome: "imported", isNew: true };
const UNCHANGED = { outcome: "unchanged", isNew: false, isWritten: false };

describe("an import is made, and says why,", () => {
  test("when there is no index, or one that does not say what it was made from", async () => {
    expect(await runImport("-")).toMatchObject({
      ...IMPORTED,
      stderr: expect.stringContaining("Importing: there is no index yet.") as string,
    });
    const { stderr } = await runImport(path);
    expect(stderr).toContain("Importing: the index does not say what it was made from.");
  });

  test("when the file changed, or another was added", async () => {
    await start();
    writeFileSync(path, table("Sông", "Đồi"));
    expect(await runImport(path)).toMatchObject({
      ...IMPORTED,
      stderr: expect.stringContaining(`Importing: ${path} changed.`) as string,
    });
    const other = join(own.folder, "other.csv");
    writeFileSync(other, table("Rừng"));
    const { stderr } = await runImport(path, other);
    expect(stderr).toContain("Importing: one of 2 sources changed.");
  });

  test("when an option changed, or a file that one names", async () => {
    await start();
    const { stderr } = await runImport(path, "--type", "BAR");
    expect(stderr).toContain("Importing: the options changed, or the files that they name.");
    const words = join(own.folder, "words.csv");
    for (const word of ["cà phê vợt", "cà phê kho"]) {
      writeFileSync(words, `kind,COFFEE,vi,${word}\n`);
      expect(await runImport(path, "--vocabulary", words)).toMatchObject(IMPORTED);
      expect(await runImport(path, "--vocabulary", words)).toMatchObject(UNCHANGED);
    }
  });

  test("when the index has an older form, or was made by another version of the program", async () => {
    await start();
    await changeMark({ program: "0.0.1" });
    expect((await runImport(path)).stderr).toMatch(/Importing: the program was 0\.0\.1 and is \d/);
    await changeVersion("0.1");
    expect((await runImport(path)).stderr).toContain("Importing: the index has an older form.");
  });

  test("when the dates of public holidays were read a year ago", async () => {
    await start();
    await changeMark({ at: "2020-01-01T00:00Z" });
    const { stderr } = await runImport(path);
    expect(stderr).toContain("Importing: the dates of public holidays are a year old.");
  });

  test("of what comes on standard input, which cannot be compared", async () => {
    await start();
    expect((await runImport("-")).stderr).toContain("what cannot be read twice cannot be compared");
  });

  test("when a rollback made live what was made from other files", async () => {
    await start();
    const other = join(own.folder, "rolled-back.csv");
    writeFileSync(other, table("Hồ", "Suối"));
    await runImport(other);
    await runIndex(["rollback", "--force"], own.env);
    expect(await runImport(path)).toMatchObject(UNCHANGED);
    expect(await runImport(other)).toMatchObject(IMPORTED);
  });

  test("after a sync wrote other places", async () => {
    await start();
    const other = join(own.folder, "synced.csv");
    writeFileSync(other, table("Hồ", "Suối"));
    await run("sync", [other]);
    expect(await runImport(path)).toMatchObject(IMPORTED);
  });
});

describe("nothing is done, and the check noted,", () => {
  test("for the same file, also with another name and date, with quiet silence", async () => {
    await start();
    const { checkedAt: before } = await readStatus();
    const { stderr, ...unchanged } = await runImport(path);
    expect(unchanged).toEqual(UNCHANGED);
    expect(stderr).toMatch(/^Nothing to import: unchanged since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/);
    const renamed = join(own.folder, "renamed.csv");
    copyFileSync(path, renamed);
    utimesSync(renamed, 0, 0);
    expect(await runImport(renamed, "--quiet")).toMatchObject({ ...UNCHANGED, stderr: "" });
    const { checkedAt, lastRun } = await readStatus();
    expect(Date.parse(checkedAt ?? "")).toBeGreaterThan(Date.parse(before ?? ""));
    expect(lastRun).toMatchObject({ command: "import", outcome: "done", counts: { unchanged: 2 } });
  });

  test("by a sync of what an import or a sync has read", async () => {
    await start();
    expect(await run("sync", [path])).toMatchObject(UNCHANGED);
    writeFileSync(path, table("Sông", "Hang"));
    expect(await run("sync", [path])).toMatchObject({ outcome: "synced", isNew: false, isWritten: true });
    const { checkedAt, builtAt } = await readStatus();
    expect(checkedAt).not.toBe(builtAt);
    expect(await run("sync", [path])).toMatchObject(UNCHANGED);
    expect(await runImport(path)).toMatchObject(UNCHANGED);
  });

  test("and a check of one index is none of another", async () => {
    await start();
    await runImport(path);
    await runIndex(["import", path, "--force"], own.env);
    const { builtAt, checkedAt } = await readStatus();
    expect(checkedAt).toBe(builtAt);
  });
});

describe("an address", () => {
  let headers: Record<string, string> = {};
  let body = "";
  let sent = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (headers["etag"] !== undefined && request.headers["if-none-match"] === headers["etag"])
      response.writeHead(304, headers).end();
    else {
      sent += 1;
      response.writeHead(200, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
    }
  });
  let address = "";
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cafes.csv`;
  });
  afterAll(() => server.close().closeAllConnections());
  beforeEach(() => {
    headers = {};
    body = table("Sông", "Núi");
    sent = 0;
  });

  test("is not downloaded while its ETag is the same", async () => {
    headers = { etag: '"one"' };
    await runIndex(["import", address, "--force"], own.env);
    sent = 0;
    expect(await runImport(address)).toMatchObject({ ...UNCHANGED });
    expect(sent).toBe(0);
    headers = { etag: '"two"' };
    body = table("Sông", "Đá");
    const changed = await runImport(address);
    expect(changed).toMatchObject(IMPORTED);
    expect(changed.stderr).toContain(`Importing: ${address} changed.`);
  });

  test("is compared by date and length without an ETag", async () => {
    headers = { "last-modified": "Tue, 17 Nov 2026 10:00:00 GMT" };
    await runIndex(["import", address, "--force"], own.env);
    expect((await runImport(address)).stderr).not.toContain("Downloading");
    body = table("Sông", "Núi", "Đá");
    expect(await runImport(address)).toMatchObject(IMPORTED);
  });

  test("is downloaded and compared by its bytes where the server names no version, or another one", async () => {
    await runIndex(["import", address, "--force"], own.env);
    const compared = await runImport(address);
    expect(compared).toMatchObject(UNCHANGED);
    expect(compared.stderr).toContain(`Downloading ${address}.`);
    headers = { etag: '"new"' };
    expect(await runImport(address)).toMatchObject(UNCHANGED);
  });

  test("with another query is another address, whose ETag says nothing", async () => {
    headers = { etag: '"one"' };
    await runIndex(["import", `${address}?city=hue`, "--force"], own.env);
    body = table("Sông", "Đá");
    const { stderr, ...imported } = await runImport(`${address}?city=vinh&token=hidden`);
    expect(imported).toMatchObject(IMPORTED);
    expect(stderr).not.toContain("hidden");
  });

  test("that fails ends the command with its error, and beside a changed file is downloaded", async () => {
    headers = { etag: '"one"' };
    await runIndex(["import", address, path, "--force"], own.env);
    expect(await runImport(address, path)).toMatchObject(UNCHANGED);
    writeFileSync(path, table("Hang"));
    expect(await runImport(address, path)).toMatchObject(IMPORTED);
    headers = { "content-type": "text/html" };
    const { exitCode, stderr } = await runIndex(["import", "--if-changed", address, path], own.env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the server sent a web page");
  });

  test("of S3 is compared in the same way", async () => {
    const objects = new Map([["/city/cafes.csv", table("Sông", "Núi")]]);
    const s3 = await startS3Server(objects);
    try {
      await runIndex(["import", "s3://city/cafes.csv", "--force"], { ...own.env, ...s3.env });
      const same = await run("import", ["s3://city/cafes.csv"], s3.env);
      expect(same).toMatchObject(UNCHANGED);
      expect(same.stderr).not.toContain("Downloading");
      objects.set("/city/cafes.csv", table("Sông", "Đá"));
      expect(await run("import", ["s3://city/cafes.csv"], s3.env)).toMatchObject(IMPORTED);
    } finally {
      s3.stop();
    }
  });
});

/** Changes what the live index says it was made from. */
async function changeMark(changes: Partial<InputMark>): Promise<void> {
  const live = openLiveIndex(own.engines.index);
  const manifest = (await live.readManifest())!;
  await live.writeManifest({ ...manifest, mark: { ...manifest.mark!, ...changes } });
  await live.close();
}

/** Says in the map that another version of the program built what is live. */
async function changeVersion(index_version: string): Promise<void> {
  const topology = own.engines.index;
  const { sequence, live } = (await readMap(topology))!;
  await putMap(topology, { sequence: sequence + 1, live: { ...live, index_version } });
}

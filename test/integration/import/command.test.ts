import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ImportReport } from "../../../indexer/import/import-report.ts";
import { acquireEngines, type Engines } from "../../../src/local-engines/acquire-engines.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { runIndex, startIndex, startIndexProcess } from "./run-index.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

const folder = makeEngineFolder("import-command");
const env = { DATA_DIR: join(folder, "data") };

const record = (id: number, title: string): string =>
  `${JSON.stringify({ title, data_id: `0x1:0x${id.toString(16)}`, location: { latitude: 10.7031, longitude: 106.7052 } })}\n`;

const UNCHANGED = "The live index is unchanged.";

describe("while a server runs", () => {
  let engines: Engines;
  beforeAll(async () => {
    engines = await acquireEngines({
      dataDir: env.DATA_DIR,
      role: "server",
      needs: { redis: false },
      onEvent: () => {},
    });
    await runIndex(["import", "-"], env, record(1, "Old"));
  });
  afterAll(async () => {
    await engines.stop();
    rmSync(folder, { recursive: true });
  });

  async function liveTitle(): Promise<string | undefined> {
    const index = openPlaceIndex(engines.index);
    const place = await index.getPlace("0x1:0x1");
    await index.close();
    return place?.title;
  }

  test("uses the server's engines and leaves them running", async () => {
    const path = join(folder, "places.jsonl");
    writeFileSync(path, record(1, "Old") + record(2, "Bún"));
    const { exitCode, stdout } = await runIndex(["import", path], env);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(await liveTitle()).toBe("Old");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends a half-read import with the exit status %i", async (signal, expected) => {
    const { child, ended, hasSaid } = startIndexProcess(["import", "-", "--json"], env);
    child.stdin.write(record(1, "New").repeat(50_000));
    await hasSaid("Reading stdin");
    child.kill(signal);
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode).toBe(expected);
    expect(stderr).toContain(UNCHANGED);
    expect((JSON.parse(stdout) as ImportReport).outcome).toBe("interrupted");
    expect(await liveTitle()).toBe("Old");
  });

  test("reads compressed files, folders and globs, and lists all rejected records on request", async () => {
    const exports = join(folder, "exports");
    mkdirSync(join(exports, "deep"), { recursive: true });
    writeFileSync(
      join(exports, "a.csv.gz"),
      gzipSync("title,data_id,latitude,longitude\nOld,0x1:0x1,10.7,106.7\n"),
    );
    writeFileSync(join(exports, "deep", "b"), zstdCompressSync(record(2, "Bún") + record(3, "")));
    writeFileSync(join(exports, "notes.txt"), "to be done");
    writeFileSync(join(folder, "more-1.jsonl"), record(4, "Chè"));
    const rejects = join(folder, "rejects.jsonl");
    const args = ["import", exports, join(folder, "more-?.jsonl"), "--json", "--rejects", rejects];
    const { exitCode, stdout, stderr } = await runIndex(args, env);
    expect(stderr).toContain(`Ignored, no places in a known format: ${join(exports, "notes.txt")}`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      read: 4,
      indexed: 3,
      files: [{ format: "csv" }, { format: "native" }, { format: "native" }],
      rejected: { total: 1, listed_in: rejects },
    });
    expect(JSON.parse(readFileSync(rejects, "utf8"))).toEqual({
      file: join(exports, "deep", "b"),
      line: 2,
      field: "title",
      reason: "empty",
      record: record(3, "").trimEnd(),
    });
  });

  test("a failed import also lists its rejected records", async () => {
    const rejects = join(folder, "rejects-of-failure.jsonl");
    const { exitCode } = await runIndex(
      ["import", "-", "--rejects", rejects],
      env,
      `${record(1, "New")}x\ny\n`,
    );
    expect(exitCode).toBe(1);
    expect(readFileSync(rejects, "utf8").trimEnd().split("\n")).toHaveLength(2);
    expect(await liveTitle()).toBe("Old");
  });

  test("a file of rejects that cannot be written fails the import before the swap", async () => {
    const rejects = join(folder, "full.jsonl");
    const { stdin, ended } = startIndex(["import", "-", "--rejects", rejects], env);
    // It waits for its input before it begins the file.
    symlinkSync("/dev/full", `${rejects}.${process.pid}.tmp`);
    stdin.end(`${record(1, "New").repeat(20)}x\n`);
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Cannot write ${rejects}: ENOSPC`);
    expect(stderr).toContain(UNCHANGED);
    expect(await liveTitle()).toBe("Old");
  });

  test.each([
    [
      "packed input that is cut off",
      ["import", "-"],
      gzipSync(record(1, "New").repeat(5_000)).subarray(0, 150),
      "stdin is cut off",
    ],
    [
      "a file that is not there",
      ["import", "no-such-file"],
      "",
      "Cannot read no-such-file: there is no such file",
    ],
  ])("%s fails with a clear message", async (_, args, input, message) => {
    const { exitCode, stderr } = await runIndex(args, env, input);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain(UNCHANGED);
    expect(await liveTitle()).toBe("Old");
  });
});

test("an unreachable engine is reported, with the reason", async () => {
  const MEILISEARCH_URL = `http://127.0.0.1:${await findDeadPort()}`;
  const args = ["import", "-", "--no-lease"];
  const { exitCode, stderr } = await runIndex(args, { ...env, MEILISEARCH_URL }, record(1, "New"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain("ECONNREFUSED");
});

test("without Redis, an engine given by URL is written to only with --no-lease", async () => {
  const MEILISEARCH_URL = `http://127.0.0.1:${await findDeadPort()}`;
  const { exitCode, stderr } = await runIndex(["import", "-"], { ...env, MEILISEARCH_URL }, record(1, "New"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain("--no-lease");
});

test.each([
  ["no file", ["import"], {}],
  ["the standard input twice", ["import", "-", "-"], {}],
  ["a share over a hundred percent", ["import", "-", "--max-rejects", "101"], {}],
  ["an unknown command", ["exprot"], {}],
  ["an environment that is wrong", ["import", "-"], { MEILISEARCH_URL: "not a url" }],
])("%s is a usage error", async (_, args, more) => {
  const { exitCode, stderr } = await runIndex(args, { ...env, ...more }, record(1, "New"));
  expect(exitCode).toBe(2);
  expect(stderr).not.toBe("");
});

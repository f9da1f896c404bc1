import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRuntimeFile } from "../../../src/local-engines/data-dir.ts";
import { searchKeyUid } from "../../../src/meilisearch/keys.ts";
import { useOwnEngines } from "../import/own-engines.ts";
import { runIndex } from "../import/run-index.ts";
import { startServer } from "./start-server.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

const own = useOwnEngines("engine-key");
const API_KEYS = "a-key-of-a-caller-0001";
const PLACE = `${JSON.stringify({
  title: "Phở Thìn",
  data_id: "0x1:0xab",
  location: { latitude: 10.7031, longitude: 106.7052 },
})}\n`;

let files = "";
let masterEnv: { MEILISEARCH_URL: string; MEILISEARCH_KEY: string };
let serverEnv: Record<string, string>;

beforeAll(() => {
  files = makeEngineFolder("engine-key");
  const { meilisearch, redis } = own.engines;
  masterEnv = { MEILISEARCH_URL: meilisearch.url, MEILISEARCH_KEY: meilisearch.key ?? "" };
  serverEnv = { MEILISEARCH_URL: meilisearch.url, REDIS_URL: redis?.url ?? "", API_KEYS };
});

afterAll(() => rmSync(files, { recursive: true }));

const search = async (url: string): Promise<unknown> => {
  const reply = await fetch(`${url}/api/maps/search?q=pho+thin`, { headers: { "x-api-key": API_KEYS } });
  return reply.json();
};

test.each([
  ["no master key", { MEILISEARCH_KEY: "" }, "Set MEILISEARCH_KEY to its master key."],
  ["a wrong master key", { MEILISEARCH_KEY: "wrong" }, "Set it to the master key."],
  ["no engine", { MEILISEARCH_URL: "" }, "Set MEILISEARCH_URL"],
  ["an engine that is not there", { MEILISEARCH_URL: "http://127.0.0.1:1" }, "ECONNREFUSED"],
])("with %s it exits with 1 and a reason", async (_, env, why) => {
  const { exitCode, stdout, stderr } = await runIndex(["engine-key"], { ...masterEnv, ...env });
  expect(exitCode).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain(why);
  expect(stderr).not.toContain("    at ");
});

test("it fails for a missing folder and leaves no file", async () => {
  const output = join(files, "none", "key");
  const { exitCode, stderr } = await runIndex(["engine-key", "--output", output], masterEnv);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Cannot write ${output}: there is no directory ${join(files, "none")}.`);
});

test("before the first index it prints a stable key, and writes it readable for the group", async () => {
  const output = join(files, "key");
  const printed = await runIndex(["engine-key"], masterEnv);
  const written = await runIndex(["engine-key", "--output", output], masterEnv);
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(printed.stdout).toMatch(/^[0-9a-f]{64}\n$/);
  expect(written).toMatchObject({ exitCode: 0, stdout: "" });
  expect(readFileSync(output, "utf8")).toBe(printed.stdout);
  expect(statSync(output).mode & 0o777).toBe(0o640);
  expect(readdirSync(files)).toEqual(["key"]);
  expect(printed.stdout).not.toContain(masterEnv.MEILISEARCH_KEY);
});

test("a server waits for its key file, and serves as soon as there are places", async () => {
  const late = join(files, "late-key");
  await using server = await startServer({ ...serverEnv, MEILISEARCH_KEY_FILE: late });
  await server.hasSaid(`Waiting for ${late}`);
  const { stdout: key } = await runIndex(["engine-key"], masterEnv);
  writeFileSync(late, key);
  await server.answersReadiness(503);
  expect((await runIndex(["import", "-"], { ...serverEnv, ...masterEnv }, PLACE)).exitCode).toBe(0);
  await server.answersReadiness(200);
  await expect
    .poll(() => search(server.url), { timeout: 15_000 })
    .toMatchObject({ local_result: [{ data_id: "0x1:0xab" }] });
  expect(server.output()).not.toContain("engine_key_too_powerful");
  expect(server.output()).not.toContain(key.trim());
});

test("a server with the master key logs a warning", async () => {
  await using server = await startServer({ ...serverEnv, ...masterEnv });
  await server.hasSaid("engine_key_too_powerful");
  const line = server
    .output()
    .split("\n")
    .find((text) => text.includes("engine_key_too_powerful"));
  expect(JSON.parse(line ?? "")).toMatchObject({
    level: "warn",
    may: ["keys.get", "tasks.get", "settings.get", "documents.add"],
  });
  expect(server.output()).not.toContain(masterEnv.MEILISEARCH_KEY);
});

test("a server that starts its engine also uses a search key", async () => {
  const env = { DATA_DIR: join(files, "data"), DEMO_PLACES: "0", API_KEYS };
  await using server = await startServer(env);
  await server.answersReadiness(503);
  const readEngine = async (): Promise<unknown> =>
    ((await (await fetch(`${server.url}/readyz`)).json()) as { engine: string }).engine;
  expect(await readEngine()).toBe("up");
  const { url, key } = readRuntimeFile(env.DATA_DIR)?.meilisearch ?? {};
  const uid = searchKeyUid("places");
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${url}/keys/${uid}`, { headers })).status).toBe(200);
  expect(server.output()).not.toContain("engine_key_too_powerful");
  // Without this key the server is shut out: it has no other.
  expect((await fetch(`${url}/keys/${uid}`, { method: "DELETE", headers })).status).toBe(204);
  expect(await readEngine()).toBe("down");
});

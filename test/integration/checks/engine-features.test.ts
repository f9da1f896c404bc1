import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, inject, onTestFinished, test } from "vitest";
import { checkEngineFeatures } from "../../../indexer/checks/engine-features.ts";
import type { CheckResult } from "../../../indexer/checks/check-result.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { runIndex } from "../import/run-index.ts";

const key = inject("meilisearchKey");

/** The engine behind a proxy that changes the bodies of requests, as another version may understand them otherwise. */
async function startOtherEngine(change: (body: string) => string): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = change(await text(request));
    const { "content-length": _, ...headers } = request.headers;
    const sent = { ...headers, ...(body !== "" && { "content-length": Buffer.byteLength(body) }) };
    const url = new URL(request.url ?? "/", inject("meilisearchUrl"));
    const asked = forward(url, { method: request.method, headers: sent }).end(body);
    const [reply] = (await once(asked, "response")) as [IncomingMessage];
    response.writeHead(reply.statusCode ?? 500, reply.headers);
    reply.pipe(response);
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const namesOf = (checks: readonly CheckResult[], state: CheckResult["state"]): string[] =>
  checks.filter((check) => check.state === state).map(({ name }) => name);

async function listIndexes(): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${inject("meilisearchUrl")}/indexes?limit=1000`, { headers });
  const { results } = (await response.json()) as { results: { uid: string }[] };
  return results.map(({ uid }) => uid);
}

test.each([
  { fails: "distance", change: (body: string) => body.replaceAll(/"sort":\[[^\]]*\],/g, "") },
  { fails: "typos", change: (body: string) => body.replace('"oneTypo":3', '"oneTypo":5') },
  { fails: "ranges", change: (body: string) => body.replaceAll("rating >=", "rating <") },
])("an engine that does not do its $fails is found out by that line", async ({ fails, change }) => {
  const url = await startOtherEngine(change);
  const checks = await checkEngineFeatures({ url, key });
  expect(namesOf(checks, "problem")).toContain(fails);
  expect(checks.find(({ name }) => name === fails)?.hint).toContain("Meilisearch 1.21");
});

test("the tested engine does all that is relied on, and keeps nothing of the check", async () => {
  const env = { MEILISEARCH_URL: inject("meilisearchUrl"), MEILISEARCH_KEY: key };
  const { exitCode, stdout } = await runIndex(["check", "--engine", "--json"], env);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: CheckResult[] };
  expect(namesOf(checks, "problem")).toEqual([]);
  expect([exitCode, ok, checks.length]).toEqual([0, true, 10]);
  expect((await listIndexes()).filter((uid) => uid.startsWith("check_"))).toEqual([]);
});

test("an engine that does not respond is one problem", async () => {
  const url = `http://127.0.0.1:${await findDeadPort()}`;
  const checks = await checkEngineFeatures({ url, key });
  expect(namesOf(checks, "problem")).toEqual(["tasks"]);
});

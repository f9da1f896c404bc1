import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { connectEngine, type Ask } from "../../../src/meilisearch/connection.ts";
import { measureCost } from "../../../src/telemetry/request-cost.ts";
import { startMisbehaving } from "../../support/misbehaving-server.ts";

const PATIENT = new AbortController().signal;

/** Asks an engine that responds like this. */
async function startEngine(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Ask> {
  const server = await startMisbehaving((response, request) => respond(request, response));
  const connection = connectEngine({ url: server.url, key: "secret" });
  onTestFinished(async () => {
    await connection.close();
    await server[Symbol.asyncDispose]();
  });
  return connection.ask;
}

const askFor = (ask: Ask, path: string, signal = PATIENT, body?: object): Promise<unknown> =>
  ask({ operation: "test", path, signal, outline: v.unknown(), ...(body && { body }) });

test("a response that is an error rejects with the engine's code", async () => {
  const ask = await startEngine((_request, response) => {
    response.writeHead(404).end('{"code":"index_not_found","message":"no index"}');
  });
  await expect(askFor(ask, "/x")).rejects.toMatchObject({ status: 404, code: "index_not_found" });
});

test("a response that breaks off rejects, and the next request gets its response", async () => {
  let isFirst = true;
  const ask = await startEngine((_request, response) => {
    if (!isFirst) return void response.end('{"is":"whole"}');
    isFirst = false;
    response.writeHead(200, { "content-length": 100 }).write('{"is":');
    setImmediate(() => response.destroy());
  });
  await expect(askFor(ask, "/x")).rejects.toThrow(/closed/);
  await expect(askFor(ask, "/x")).resolves.toStrictEqual({ is: "whole" });
});

test.each(["before", "during"])(
  "an aborted signal rejects with its reason: %s the response",
  async (when) => {
    const caller = new AbortController();
    const ask = await startEngine((_request, response) => {
      if (when === "during") response.writeHead(200, { "content-length": 100 }).write('{"is":');
      setTimeout(() => caller.abort(new Error("gone")), 5);
    });
    await expect(askFor(ask, "/x", caller.signal)).rejects.toThrow("gone");
  },
);

test("a request of a caller that is gone is not sent", async () => {
  const paths: (string | undefined)[] = [];
  const ask = await startEngine((request, response) => {
    paths.push(request.url);
    response.end("{}");
  });
  await expect(askFor(ask, "/first", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  await askFor(ask, "/second");
  expect(paths).toStrictEqual(["/second"]);
});

test("letters that are cut between two parts of a response arrive whole", async () => {
  const bytes = Buffer.from('{"title":"Phở Hòa"}');
  const ask = await startEngine((_request, response) => {
    response.write(bytes.subarray(0, 13));
    setTimeout(() => response.end(bytes.subarray(13)), 5);
  });
  await expect(askFor(ask, "/x")).resolves.toStrictEqual({ title: "Phở Hòa" });
});

test("a body is sent as JSON, with the key", async () => {
  const ask = await startEngine((request, response) => {
    const { method, headers } = request;
    request.setEncoding("utf8").on("data", (body: string) => {
      response.end(
        JSON.stringify({ method, body, key: headers.authorization, type: headers["content-type"] }),
      );
    });
  });
  await expect(askFor(ask, "/x", PATIENT, { q: "phở" })).resolves.toStrictEqual({
    method: "POST",
    body: '{"q":"phở"}',
    key: "Bearer secret",
    type: "application/json",
  });
});

test.each([
  { what: "a search", response: { hits: [], processingTimeMs: 3 }, least: 3, most: 4 },
  {
    what: "searches",
    response: { results: [{ processingTimeMs: 3 }, { processingTimeMs: 0 }] },
    least: 4,
    most: 5,
  },
  { what: "documents", response: { results: Array.from({ length: 50 }, () => ({})) }, least: 0.5, most: 1 },
])("$what is charged to its request as the engine says, about", async ({ response: body, least, most }) => {
  const ask = await startEngine(
    (_request, response) => void setTimeout(() => response.end(JSON.stringify(body)), 10),
  );
  let engineMs = 0;
  await measureCost(() => askFor(ask, "/x"), {
    companyOf: () => "none",
    charge: (cost) => void (engineMs = cost.engineMs),
  });
  expect(engineMs).toBeGreaterThanOrEqual(least);
  expect(engineMs).toBeLessThanOrEqual(most);
});

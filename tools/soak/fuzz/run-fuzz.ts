import * as fc from "fast-check";
import { type RecordableHistogram, createHistogram } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ask, type Reply, openLine } from "../ask.ts";
import { type Documented, type FuzzRequest, requestArbitrary } from "./arbitrary-requests.ts";
import { RAW_REQUESTS, rawArbitrary, readStatuses, sendRaw } from "./raw-requests.ts";
import { checkContract } from "../../../test/support/contract.ts";

export interface FuzzOptions {
  readonly origin: string;
  readonly port: number;
  /** Used in turn; none of them may reach a limit. */
  readonly keys: readonly string[];
  /** The server's OpenAPI document. */
  readonly documented: Documented;
  /** Data ids of existing places. */
  readonly knownIds: readonly string[];
  readonly requests: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

export interface FuzzResult {
  readonly requests: number;
  readonly statuses: ReadonlyMap<string, number>;
  /** Microseconds. */
  readonly latency: RecordableHistogram;
  /** Requests that failed at first because the engine was too slow, and then succeeded: a busy machine. */
  readonly repeated: number;
  readonly findings: readonly FuzzFinding[];
}

interface FuzzFinding {
  readonly what: string;
  readonly request: string;
  readonly answer: string;
}

/** The number of concurrent connections. */
const CONNECTIONS = 8;

/** Requests are generated in batches of this size. */
const CHUNK = 400;

/** One request of this many is sent byte for byte over a separate socket. */
const RAW_EVERY = 40;

/** On a busy machine the engine may miss its deadline now and then. A request that fails all these attempts is always too slow. */
const ATTEMPTS = 6;
const PAUSE_MS = 1_000;

/** More findings would repeat the same. */
const MOST_FINDINGS = 50;

/** Sends requests of all sorts and judges the responses. The same seed sends the same requests. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { origin, requests, seed, documented, knownIds, signal, onProgress } = options;
  const line = openLine(origin, CONNECTIONS);
  const notes = createNotes();
  const anyRequest = requestArbitrary(documented, knownIds);
  try {
    for (let done = 0; done < requests && notes.findings.length < MOST_FINDINGS; done += CHUNK) {
      signal.throwIfAborted();
      const size = Math.min(CHUNK, requests - done);
      const chunk = { seed: seed + done, numRuns: size };
      const mutated = fc.sample(rawArbitrary, { ...chunk, numRuns: Math.ceil(size / RAW_EVERY) });
      const raw = done === 0 ? [...RAW_REQUESTS, ...mutated] : mutated;
      const usual = fc.sample(anyRequest, { ...chunk, numRuns: Math.max(1, size - raw.length) });
      const jobs = [
        ...usual.map((request, number) => () => fuzzOne(request, keyOf(options, number), line.ask, notes)),
        ...raw.map((bytes, number) => () => fuzzRaw(bytes, keyOf(options, number), options, notes)),
      ];
      await runAll(jobs);
      onProgress?.(done + size);
    }
  } finally {
    await line.close();
  }
  return notes;
}

const keyOf = ({ keys }: FuzzOptions, number: number): string => keys[number % keys.length] ?? "";

type Notes = ReturnType<typeof createNotes>;

function createNotes() {
  return {
    requests: 0,
    repeated: 0,
    statuses: new Map<string, number>(),
    latency: createHistogram(),
    findings: [] as FuzzFinding[],
    count(status: string) {
      this.requests += 1;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    },
  };
}

async function runAll(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < jobs.length) await jobs[next++]!();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

async function fuzzOne(request: FuzzRequest, key: string, ask: Ask, notes: Notes): Promise<void> {
  const withKey = { ...request, headers: { ...request.headers, "x-api-key": key } };
  const startedAt = performance.now();
  const reply = await askAgainWhenSlow(withKey, ask, notes);
  notes.latency.record(Math.max(1, Math.round((performance.now() - startedAt) * 1_000)));
  notes.count(reply.kind === "answer" ? describe(reply) : reply.kind);
  const what =
    reply.kind === "answer"
      ? checkAnswer(request, reply)
      : isRefusedByClient(reply)
        ? undefined
        : toText(reply);
  if (what === undefined) return;
  notes.findings.push({
    what,
    request: `${request.method} ${request.path.slice(0, 1_000)} ${JSON.stringify(request.headers).slice(0, 500)}`,
    answer: toText(reply).slice(0, 1_000),
  });
}

async function askAgainWhenSlow(request: FuzzRequest, ask: Ask, notes: Notes): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ask(request);
    const isSlow =
      reply.kind === "answer" && reply.status === 500 && reply.text.includes("engine_unavailable");
    if (!isSlow || attempt === ATTEMPTS) return reply;
    notes.repeated += 1;
    await sleep(PAUSE_MS);
  }
}

/** The HTTP client refuses paths and headers that HTTP does not allow, so nothing reached the server. */
const isRefusedByClient = (reply: Reply): boolean =>
  reply.kind === "broken" && /UND_ERR_INVALID_ARG|HPE_|invalid/i.test(reply.error);

function describe({ status, text }: Reply & { kind: "answer" }): string {
  const code = status < 400 ? undefined : /"code":"(\w+)","request_id"/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

const toText = (reply: Reply): string =>
  reply.kind === "answer"
    ? `${reply.status} ${reply.text}`
    : reply.kind === "broken"
      ? reply.error
      : reply.kind;

async function fuzzRaw(bytes: string, key: string, { port }: FuzzOptions, notes: Notes): Promise<void> {
  const reply = await sendRaw(port, bytes.replaceAll("{key}", key));
  const statuses = readStatuses(reply);
  notes.count(statuses.length === 0 ? "raw: hung up" : `raw: ${[...new Set(statuses)].join(" ")}`);
  // Node's own 505, for an unknown HTTP version, does not come from our code.
  const wrong = statuses.find((status) => status >= 500 && status !== 503 && status !== 505);
  const isSlow = wrong === 500 && reply.includes("engine_unavailable");
  if (wrong !== undefined && !isSlow)
    notes.findings.push({
      what: `raw: ${wrong}`,
      request: JSON.stringify(bytes.slice(0, 1_000)),
      answer: reply.slice(0, 1_000),
    });
}

type Answer = Reply & { readonly kind: "answer" };

/** Statuses that requests may have; the only 5xx is the refusal of an overloaded server. */
const POSSIBLE = new Set([200, 204, 304, 400, 401, 404, 405, 414, 422, 429, 431, 503]);

/** What Node refuses before it reaches our code has no body. */
const WITHOUT_BODY = new Set([204, 304, 400, 414, 431]);

/** Returns what is wrong about a response to any request. */
export function checkAnswer(request: FuzzRequest, { status, headers, text }: Answer): string | undefined {
  const isWithoutScope = status === 403 && request.path.startsWith("/api/status");
  if (!POSSIBLE.has(status) && !isWithoutScope) return `${status}`;
  if (repeats(request.canary, { headers, text })) return "the answer repeats a part of the request";
  if (WITHOUT_BODY.has(status) && text === "") return undefined;
  try {
    if (isPlain(request.path))
      checkContract({ method: request.method, target: request.path, status, headers, text });
    // Other paths are pages, which have no contract, or unknown; some are not URLs.
    else if (status >= 400) checkProblem(text, status);
    return undefined;
  } catch (error) {
    return `breach of contract (${status}): ${String(error).slice(0, 300)}`;
  }
}

const isPlain = (path: string): boolean =>
  /^\/(?:api\/(?:maps\/[a-z]+|usage|status)|photon\/(?:api|reverse)|healthz|readyz)\?/.test(path);

function repeats(canary: string, { headers, text }: Pick<Answer, "headers" | "text">): boolean {
  return text.includes(canary) || [...headers.values()].some((value) => value.includes(canary));
}

function checkProblem(text: string, status: number): void {
  if (text === "") return;
  const body = JSON.parse(text) as { status?: unknown; code?: unknown };
  if (body.status !== status || typeof body.code !== "string") throw new Error("no problem body");
}

import { hash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { WriteAnswer } from "../../answers/write-response.ts";
import {
  bodyTooLarge,
  idempotencyKeyReused,
  invalidParameters,
  invalidRecord,
  preconditionFailed,
  ProblemError,
  unknownPlace,
  unknownWrite,
  writesUnavailable,
} from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { parseDataId } from "../../place/document/data-id.ts";
import type {
  QueuedWrite,
  RecordOutcome,
  SentRecord,
  WriteCondition,
  WriteQueue,
  WriteState,
} from "../../redis/write-queue.ts";
import { isDeep, readBody } from "../body.ts";
import { callerOf } from "../middleware/authenticate.ts";
import { hangUpSignal, type HttpContext, type HttpMiddleware } from "../request-state.ts";
import { sendJson } from "../send.ts";

interface WriteRouteOptions {
  readonly queue: WriteQueue;
  readonly publicBaseUrl: string;
  readonly logger: Logger;
}

/** A thousand records with hours and addresses. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_RECORDS = 1_000;

/** All bodies that are being read. As text and as objects they take some times as much of the memory. */
const MAX_BYTES_UNDER_WAY = 32 * 1024 * 1024;

/** A place with reviews and their photos has six levels, a list of places two more. */
const MAX_DEPTH = 32;

/** For so long a caller gets the outcome at once. A write on an index of some thousand places takes a third of a second. */
const WAIT_MS = 2_000;
const POLL_MS = 25;

type ReadWrite = (ctx: HttpContext, body: string) => Pick<QueuedWrite, "records" | "condition">;

/**
 * The routes of the write API. They check only what a request is; a worker decides about the records, in their order
 * (`indexer/changes/apply-writes.ts`), since this process may not write to the engine.
 */
export function createWriteRoutes(options: WriteRouteOptions) {
  const bytesLeft = { count: MAX_BYTES_UNDER_WAY };
  const write =
    (read: ReadWrite, isList = false): HttpMiddleware =>
    async (ctx) => {
      const { id, state } = await acceptWrite(ctx, read, { ...options, bytesLeft });
      if (!state.outcomes) return sendWaiting(ctx, id, state, options);
      const [outcome] = state.outcomes;
      if (!isList && outcome) describeOne(ctx, outcome);
      sendJson<WriteAnswer>(ctx, toAnswer(id, state));
    };
  return {
    put: write((ctx, body) => ({ records: [readOne(ctx, body, "upsert")], ...readCondition(ctx) })),
    patch: write((ctx, body) => ({ records: [readOne(ctx, body, "patch")], ...readCondition(ctx) })),
    delete: write((ctx) => ({
      records: [{ value: { op: "delete", data_id: readDataId(ctx) } }],
      ...readCondition(ctx),
    })),
    post: write((ctx, body) => ({ records: readMany(ctx, body) }), true),
    status: statusOfWrite(options),
  };
}

/** `GET /api/maps/writes/{id}`: whether a write of the caller is done, and its outcomes. */
const statusOfWrite =
  ({ queue, logger }: WriteRouteOptions): HttpMiddleware =>
  async (ctx) => {
    const id = readParameter(ctx, "id");
    const state = await orUnavailable(() => queue.readState(id), logger);
    if (state?.callerId !== callerOf(ctx).callerId) throw unknownWrite();
    sendJson<WriteAnswer>(ctx, toAnswer(id, state));
  };

interface AcceptOptions extends WriteRouteOptions {
  readonly bytesLeft: { count: number };
}

interface AcceptedWrite {
  readonly id: string;
  readonly state: WriteState;
}

/** Puts the write into the queue and waits a moment for its outcome. */
async function acceptWrite(
  ctx: HttpContext,
  read: ReadWrite,
  { queue, logger, bytesLeft }: AcceptOptions,
): Promise<AcceptedWrite> {
  const repeatKey = readRepeatKey(ctx);
  const body = await readWithin(ctx, bytesLeft);
  const write = { id: randomUUID(), callerId: callerOf(ctx).callerId, ...read(ctx, body) };
  const parts = [ctx.method, ctx.path, ctx.get("If-Match"), ctx.get("If-None-Match"), body];
  const fingerprint = hash("sha256", parts.join("\0"), "base64url");
  const repeat = repeatKey === "" ? undefined : { key: repeatKey, fingerprint };
  const accepted = await orUnavailable(() => queue.accept(write, repeat), logger);
  if ("refused" in accepted) {
    if (accepted.refused === "other request") throw idempotencyKeyReused();
    logger.warn({ reason: accepted.refused }, "write_refused");
    throw writesUnavailable();
  }
  const { accepted: id } = accepted;
  const isHurried = /(?:^|,)\s*respond-async\s*(?:$|[,;])/.test(ctx.get("Prefer"));
  const state = await orUnavailable(
    () => waitForOutcome(queue, id, { waitMs: isHurried ? 0 : WAIT_MS, signal: hangUpSignal(ctx) }),
    logger,
  );
  return { id, state };
}

/** What searches see already needs no file: the engine has it on its disk. */
async function waitForOutcome(
  queue: WriteQueue,
  id: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<WriteState> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const state = await queue.readState(id);
    if (state === undefined) throw new Error("Redis has lost a write that it had accepted.");
    if (state.outcomes) return state;
    if (performance.now() >= deadline) {
      await queue.untilStored();
      return state;
    }
    await sleep(POLL_MS);
    signal.throwIfAborted();
  }
}

/** A caller cannot know whether Redis got the write when it does not respond. With an `Idempotency-Key` it may send it again. */
async function orUnavailable<T>(ask: () => Promise<T>, logger: Logger): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProblemError || !(error instanceof Error) || error.name === "CallerGoneError")
      throw error;
    logger.warn({ err: error }, "write_refused");
    throw writesUnavailable(error);
  }
}

async function readWithin(ctx: HttpContext, bytesLeft: { count: number }): Promise<string> {
  // Koa has no length for a body in chunks, nor for none.
  const bytes = Math.min(ctx.request.length ?? MAX_BODY_BYTES, MAX_BODY_BYTES);
  if (bytes > bytesLeft.count) throw writesUnavailable();
  bytesLeft.count -= bytes;
  try {
    const body = ctx.method === "DELETE" ? "" : await readBody(ctx, MAX_BODY_BYTES);
    if (body === undefined) throw bodyTooLarge({ bytes: MAX_BODY_BYTES, records: MAX_RECORDS });
    return body;
  } finally {
    bytesLeft.count += bytes;
  }
}

const readParameter = (ctx: HttpContext, name: string): string =>
  (ctx as { params?: Readonly<Record<string, string>> }).params?.[name] ?? "";

function readDataId(ctx: HttpContext): string {
  const dataId = parseDataId(readParameter(ctx, "data_id"));
  if (dataId === undefined) throw malformed("data_id", "must be of the form 0x<hex>:0x<hex>");
  return dataId;
}

const malformed = (parameter: string, what: string): ProblemError =>
  invalidParameters([{ parameter, code: "malformed", message: `${parameter} ${what}.` }]);

/** A record about the place of the path. */
function readOne(ctx: HttpContext, body: string, op: "upsert" | "patch"): SentRecord {
  const dataId = readDataId(ctx);
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRecord("The body must be one JSON object.");
  const { data_id: named = dataId } = value as { data_id?: unknown };
  if (typeof named !== "string" || parseDataId(named) !== dataId)
    throw invalidRecord("The data_id of the record is not that of the path.");
  return { value: { ...value, op, data_id: dataId } };
}

/** `{"places": […]}`, or one record a line. */
function readMany(ctx: HttpContext, body: string): readonly SentRecord[] {
  const records = ctx.is("application/x-ndjson", "application/jsonl") ? readLines(body) : readList(body);
  if (records.length === 0) throw invalidRecord("The body has no records.");
  if (records.length > MAX_RECORDS) throw bodyTooLarge({ bytes: MAX_BODY_BYTES, records: MAX_RECORDS });
  return records;
}

function readList(body: string): readonly SentRecord[] {
  const { places } = (parseJson(body) ?? {}) as { readonly places?: unknown };
  if (!Array.isArray(places))
    throw invalidRecord(
      'The body must be a JSON object with a list "places", or one record a line as application/x-ndjson.',
    );
  return places.map((value: unknown) => ({ value }));
}

const readLines = (body: string): readonly SentRecord[] =>
  body.split("\n").flatMap((line): readonly SentRecord[] => {
    if (line.trim() === "") return [];
    if (isDeep(line, MAX_DEPTH)) return [{ problem: TOO_DEEP }];
    try {
      return [{ value: JSON.parse(line) as unknown }];
    } catch {
      return [{ problem: "not JSON" }];
    }
  });

const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

function parseJson(body: string): unknown {
  if (isDeep(body, MAX_DEPTH)) throw invalidRecord(`The body is ${TOO_DEEP}.`);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw invalidRecord("The body is not JSON.");
  }
}

/** An entity tag (RFC 9110 §8.8.3). A weak one never matches. */
const TAGS = /^(?:W\/)?"[\x21\x23-\x7e]{0,64}"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]{0,64}")*$/;

/** @throws {ProblemError} 422 for headers that are no list of versions. */
function readCondition(ctx: HttpContext): Pick<QueuedWrite, "condition"> {
  const ifMatch = ctx.get("If-Match").trim();
  const ifNoneMatch = ctx.get("If-None-Match").trim();
  if (ifNoneMatch !== "" && ifNoneMatch !== "*") throw malformed("If-None-Match", "must be * or absent");
  if (ifMatch !== "" && ifMatch !== "*" && !TAGS.test(ifMatch))
    throw malformed("If-Match", "must be * or versions in quotation marks");
  if (ifMatch === "" && ifNoneMatch === "") return {};
  const versions = [...ifMatch.matchAll(/(?<!W\/)"([^",]*)"/g)].map(([, version = ""]) => version);
  const condition: WriteCondition = {
    ...(ifMatch !== "" && { versions: ifMatch === "*" ? "any" : versions }),
    ...(ifNoneMatch !== "" && { isAbsent: true }),
  };
  return { condition };
}

/** Goes into the name of a key in Redis. */
const REPEAT_KEY = /^[\x21-\x7e]{1,128}$/;

function readRepeatKey(ctx: HttpContext): string {
  const key = ctx.get("Idempotency-Key");
  if (key !== "" && !REPEAT_KEY.test(key))
    throw malformed("Idempotency-Key", "must be 1 to 128 visible ASCII characters");
  return key;
}

/** The status and version of a response about one place. */
function describeOne(ctx: HttpContext, { outcome, version, errors = [] }: RecordOutcome): void {
  if (version !== undefined) ctx.set("ETag", `"${version}"`);
  if (outcome === "unknown") throw unknownPlace();
  if (outcome === "conflict") throw preconditionFailed();
  if (outcome === "rejected") {
    const problems = errors.map(({ field, message }) => ({
      parameter: field,
      code: "rejected" as const,
      message: `${field}: ${message}.`,
    }));
    throw invalidRecord("The record cannot be stored.", problems);
  }
  ctx.status = outcome === "created" ? 201 : 200;
}

function sendWaiting(
  ctx: HttpContext,
  id: string,
  state: WriteState,
  { publicBaseUrl }: Pick<WriteRouteOptions, "publicBaseUrl">,
): void {
  ctx.status = 202;
  ctx.set({ Location: `${publicBaseUrl}/api/maps/writes/${id}`, "Retry-After": "1" });
  sendJson<WriteAnswer>(ctx, toAnswer(id, state));
}

const toAnswer = (id: string, { records, outcomes }: WriteState): WriteAnswer => ({
  write: {
    id,
    state: outcomes ? "done" : "waiting",
    records,
    ...(outcomes && { results: outcomes.map(toResult) }),
  },
});

const toResult = ({ errors, notes, ...outcome }: RecordOutcome) => ({
  ...outcome,
  ...(errors && { errors: [...errors] }),
  ...(notes && { notes: [...notes] }),
});

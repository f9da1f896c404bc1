import * as v from "valibot";
import type { Lifecycle } from "../middleware/lifecycle.ts";
import type { HttpMiddleware } from "../request-state.ts";
import {
  countBehind,
  lostIn,
  type DivisionState,
  type IndexState,
  type PlaceIndex,
} from "../../meilisearch/place-index.ts";
import { isRedisUp, type RedisConnection } from "../../redis/connection.ts";
import { sendJson } from "../send.ts";

/** The body of `GET /healthz`. */
export const livenessSchema = v.strictObject({
  status: v.pipe(v.literal("alive"), v.description("The process is alive.")),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The body of `GET /readyz`, ready or not. */
export const readinessSchema = v.strictObject({
  status: v.pipe(
    v.picklist(["ready", "degraded", "not_ready", "shutting_down"]),
    v.description(
      "`ready`: all parts work. `degraded`: requests are served without Redis, or without some partitions of the index.",
    ),
  ),
  redis: v.pipe(
    v.picklist(["up", "down", "none"]),
    v.description("The Redis that counts requests; `none` when none is configured, which is not an error."),
  ),
  engine: v.pipe(v.picklist(["up", "down"]), v.description("The search engine.")),
  index: v.pipe(
    v.variant("state", [
      v.strictObject({
        state: v.literal("ready"),
        places: v.pipe(v.number(), v.description("Number of places in the index.")),
        built_at: v.pipe(v.string(), v.isoTimestamp(), v.description("When it was built.")),
      }),
      v.strictObject({ state: v.literal("wrong_version"), found: v.string(), wanted: v.string() }),
      v.strictObject({ state: v.picklist(["missing", "damaged", "unknown"]) }),
    ]),
    v.description("The index that searches read."),
  ),
  engines: v.optional(
    v.pipe(
      v.strictObject({ up: count, down: count }),
      v.description("How many of several engines respond. Absent with one engine."),
    ),
  ),
  partitions: v.optional(
    v.pipe(
      v.strictObject({
        count,
        lost: v.pipe(v.array(count), v.description("The numbers of those that no engine can read.")),
        behind: v.pipe(count, v.description("Replicas that are missing or have missed writes.")),
      }),
      v.description("The parts of an index in several engines. Absent with one engine."),
    ),
  ),
});

type Readiness = v.InferOutput<typeof readinessSchema>;

/**
 * `GET /healthz`: the process is alive. It checks nothing else, so that a broken engine never gets the server
 * restarted.
 */
export function livenessRoute(): HttpMiddleware {
  return (ctx) => sendJson(ctx, { status: "alive" });
}

interface ReadinessOptions {
  readonly index: PlaceIndex;
  readonly redis: RedisConnection | undefined;
  readonly lifecycle: Lifecycle;
  /** Without Redis the server is not ready, though it serves requests. */
  readonly needsRedis: boolean;
}

/**
 * `GET /readyz`: whether requests are served, part by part. Returns 503 when they are not, and once the
 * server is stopping. Every request is served without Redis, where a 503 would make a load balancer remove
 * all servers. It needs no key, so concurrent requests share one check of the parts.
 */
export function readinessRoute({ index, redis, lifecycle, needsRedis }: ReadinessOptions): HttpMiddleware {
  const readParts = shareWhileUnderWay(() => Promise.all([index.readState(), readRedisState(redis)]));
  return async (ctx) => {
    const [indexState, redisState] = await readParts();
    const isWithoutRedis = redisState === "down";
    const division = indexState.state === "ready" ? indexState.division : undefined;
    const isDegraded = isWithoutRedis || (division !== undefined && lostIn(division).length > 0);
    const isServing = indexState.state === "ready" && !(isWithoutRedis && needsRedis);
    const isEnding = lifecycle.phase !== "serving";
    ctx.status = isServing && !isEnding ? 200 : 503;
    const state = isDegraded ? "degraded" : "ready";
    const status = isEnding ? "shutting_down" : isServing ? state : "not_ready";
    sendJson<Readiness>(ctx, {
      status,
      redis: redisState,
      ...toIndexParts(indexState),
      ...(division && toDivisionParts(division)),
    });
  };
}

function shareWhileUnderWay<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => (underWay ??= read().finally(() => (underWay = undefined)));
}

/** `none` is not a fault: without Redis this process enforces the limits alone. */
async function readRedisState(redis: RedisConnection | undefined): Promise<"up" | "down" | "none"> {
  if (redis === undefined) return "none";
  return (await isRedisUp(redis)) ? "up" : "down";
}

function toDivisionParts(division: DivisionState): Pick<Readiness, "engines" | "partitions"> {
  const { engines, partitions } = division;
  const up = engines.filter(({ isUp }) => isUp).length;
  return {
    engines: { up, down: engines.length - up },
    partitions: { count: partitions.length, lost: lostIn(division), behind: countBehind(division) },
  };
}

function toIndexParts(index: IndexState): Pick<Readiness, "engine" | "index"> {
  switch (index.state) {
    case "ready":
      return { engine: "up", index: { state: "ready", places: index.places, built_at: index.builtAt } };
    case "wrong_version":
      return { engine: "up", index: { state: "wrong_version", found: index.found, wanted: index.wanted } };
    case "missing":
      return { engine: "up", index: { state: "missing" } };
    case "damaged":
      return { engine: index.engine, index: { state: "damaged" } };
    case "unreachable":
      return { engine: "down", index: { state: "unknown" } };
  }
}

import * as v from "valibot";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { IndexState, PlaceIndex } from "../place-index/place-index.ts";
import { isRedisUp } from "../redis/connection.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { sendJson } from "./send-json.ts";

/** What `GET /healthz` answers. */
export const livenessSchema = v.strictObject({
  status: v.pipe(v.literal("alive"), v.description("The process lives.")),
});

/** What `GET /readyz` answers, ready or not. */
export const readinessSchema = v.strictObject({
  status: v.pipe(v.picklist(["ready", "not_ready"]), v.description("Whether every part is there.")),
  redis: v.pipe(
    v.picklist(["up", "down", "none"]),
    v.description("The Redis that counts requests; `none` where none is configured, which is no fault."),
  ),
  engine: v.pipe(v.picklist(["up", "down"]), v.description("The search engine.")),
  index: v.pipe(
    v.variant("state", [
      v.strictObject({
        state: v.literal("ready"),
        places: v.pipe(v.number(), v.description("How many places it holds.")),
        built_at: v.pipe(v.string(), v.isoTimestamp(), v.description("When it was built.")),
      }),
      v.strictObject({ state: v.literal("wrong_version"), found: v.string(), wanted: v.string() }),
      v.strictObject({ state: v.picklist(["missing", "unknown"]) }),
    ]),
    v.description("The index that searches read."),
  ),
});

type Readiness = v.InferOutput<typeof readinessSchema>;

/** `GET /healthz`: the process is alive. It asks nobody else, so that a broken engine never gets the server restarted. */
export function livenessRoute(): HttpMiddleware {
  return (ctx) => sendJson(ctx, { status: "alive" });
}

/** `GET /readyz`: whether requests can be answered in full, part by part; 503 when one part is missing. */
export function readinessRoute(index: PlaceIndex, redis: RedisConnection | undefined): HttpMiddleware {
  return async (ctx) => {
    const [indexState, redisState] = await Promise.all([index.readState(), readRedisState(redis)]);
    const ready = indexState.state === "ready" && redisState !== "down";
    ctx.status = ready ? 200 : 503;
    sendJson<Readiness>(ctx, {
      status: ready ? "ready" : "not_ready",
      redis: redisState,
      ...toIndexParts(indexState),
    });
  };
}

/** `none` is no fault: without a Redis this process holds the limits by itself. */
async function readRedisState(redis: RedisConnection | undefined): Promise<"up" | "down" | "none"> {
  if (redis === undefined) return "none";
  return (await isRedisUp(redis)) ? "up" : "down";
}

function toIndexParts(index: IndexState): Pick<Readiness, "engine" | "index"> {
  switch (index.state) {
    case "ready":
      return { engine: "up", index: { state: "ready", places: index.places, built_at: index.builtAt } };
    case "wrong_version":
      return { engine: "up", index: { state: "wrong_version", found: index.found, wanted: index.wanted } };
    case "missing":
      return { engine: "up", index: { state: "missing" } };
    case "unreachable":
      return { engine: "down", index: { state: "unknown" } };
  }
}

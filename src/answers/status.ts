import * as v from "valibot";
import { SCOPES } from "../keys/key-record.ts";

const about = v.description;
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(v.string(), v.isoTimestamp());

const queriesSchema = v.array(v.strictObject({ query: v.string(), searches: count, empty: count }));

/** The response of `GET /api/status`. A part that could not be read is `null`. */
export const statusAnswerSchema = v.strictObject({
  status: v.strictObject({
    at: v.pipe(time, about("When this was read.")),
    server: v.strictObject({
      version: v.string(),
      processes: v.pipe(count, about("Processes that serve requests on this port.")),
      started_at: v.pipe(time, about("When the process that responds was started.")),
    }),
    index: v.strictObject({
      state: v.picklist(["ready", "missing", "wrong_version", "damaged", "unreachable"]),
      form: v.pipe(v.string(), about("The version of the index that this server reads.")),
      places: v.nullable(count),
      built_at: v.nullable(time),
      checked_at: v.pipe(
        v.nullable(time),
        about(
          "When the data was last known to be that of its sources: when it was imported, synced, or found unchanged by `--if-changed`.",
        ),
      ),
      document_bytes: v.pipe(
        v.nullable(count),
        about("The size of the documents, without what searches need."),
      ),
      engines: v.optional(
        v.pipe(
          v.array(v.strictObject({ name: v.string(), state: v.picklist(["up", "down"]) })),
          about("The engines of an index that is divided among several. Absent with one engine."),
        ),
      ),
      partitions: v.optional(
        v.pipe(
          v.array(
            v.strictObject({
              number: count,
              replicas: v.array(
                v.strictObject({
                  engine: v.string(),
                  state: v.picklist(["current", "stale", "missing", "down"]),
                }),
              ),
            }),
          ),
          about(
            "Its partitions, each with the engines that hold it. A replica is `stale` while it lacks changes and `missing` while its engine does not have all of it; neither is read.",
          ),
        ),
      ),
    }),
    redis: v.strictObject({ state: v.picklist(["up", "down", "none"]), memory_bytes: v.nullable(count) }),
    checks: v.pipe(
      v.array(
        v.strictObject({
          name: v.string(),
          state: v.picklist(["ok", "warning", "problem"]),
          text: v.string(),
        }),
      ),
      about("What is well, and what needs attention."),
    ),
    coverage: v.pipe(
      v.nullable(
        v.strictObject({
          sampled: v.pipe(count, about("The number of places that were looked at.")),
          fields: v.array(v.strictObject({ field: v.string(), places: count })),
        }),
      ),
      about("How many places of a sample have each optional field."),
    ),
    runs: v.pipe(
      v.nullable(
        v.array(
          v.strictObject({
            command: v.string(),
            outcome: v.picklist(["done", "failed", "interrupted"]),
            error: v.nullable(v.string()),
            started_at: v.string(),
            duration_s: v.number(),
            counts: v.record(v.string(), v.number()),
          }),
        ),
      ),
      about("The last imports and changes, newest first; `null` without Redis."),
    ),
    keys: v.pipe(
      v.nullable(
        v.strictObject({
          configured: v.pipe(count, about("Keys of the setting `API_KEYS`.")),
          stored: v.pipe(count, about("Keys of the `keys` command.")),
          list: v.array(
            v.strictObject({
              id: v.string(),
              name: v.string(),
              state: v.picklist(["active", "expired", "revoked"]),
              scopes: v.array(v.picklist(SCOPES)),
              last_used_at: v.nullable(time),
              days: v.pipe(
                v.array(v.strictObject({ date: v.pipe(v.string(), v.isoDate()), requests: count })),
                about("Requests of the last seven days of UTC, oldest first."),
              ),
            }),
          ),
        }),
      ),
      about(
        "Stored keys with the latest use first, 50 at most, without their secrets; `null` without Redis.",
      ),
    ),
    queries: v.pipe(
      v.nullable(v.strictObject({ days: count, frequent: queriesSchema, empty: queriesSchema })),
      about(
        "The most frequent queries of the last days, from five callers on; `null` unless `QUERY_LOG` is on.",
      ),
    ),
  }),
});

export type StatusAnswer = v.InferOutput<typeof statusAnswerSchema>;

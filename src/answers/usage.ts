import * as v from "valibot";
import { SCOPES, type Caller } from "../keys/key-record.ts";
import type { LimitWindow, Usage } from "../limits/windows.ts";

const about = v.description;
const count = (min: number) => v.pipe(v.number(), v.integer(), v.minValue(min));

const windowSchema = v.strictObject({
  limit: v.pipe(v.nullable(count(1)), about("Requests allowed; `null` without a limit.")),
  used: v.pipe(count(0), about("Requests made.")),
  remaining: v.pipe(v.nullable(count(0)), about("Requests left; `null` without a limit.")),
  resets_at: v.pipe(v.string(), v.isoTimestamp(), about("When requests become available again (UTC).")),
  resets_in_s: v.pipe(count(1), about("Seconds until then.")),
});

/** The response of `GET /api/usage`. */
export const usageAnswerSchema = v.strictObject({
  usage: v.strictObject({
    key: v.pipe(
      v.strictObject({
        id: v.pipe(
          v.string(),
          v.nonEmpty(),
          about("Identifies the key in the server's log. It is not a secret."),
        ),
        scopes: v.pipe(v.array(v.picklist(SCOPES)), about("The operations that the key allows.")),
      }),
      about("The key of the request."),
    ),
    minute: v.pipe(windowSchema, about("The last 60 seconds.")),
    day: v.pipe(windowSchema, about("The current day in UTC.")),
    days: v.pipe(
      v.array(
        v.strictObject({
          date: v.pipe(v.string(), v.isoDate(), about("A day of UTC.")),
          requests: v.pipe(count(1), about("Requests made on that day.")),
        }),
      ),
      about("The last 31 days with requests, oldest first. Empty while Redis is unavailable."),
    ),
    counted_by: v.pipe(
      v.picklist(["all_processes", "this_process"]),
      about("`this_process` while Redis is unavailable: the numbers are those of the process that responds."),
    ),
  }),
});

export type UsageAnswer = v.InferOutput<typeof usageAnswerSchema>;

/** What a caller has used and has left. `now` is the moment of the request. */
export function toUsageBody(
  caller: Caller,
  { minute, day, days, isShared }: Usage,
  now: Temporal.Instant,
): UsageAnswer["usage"] {
  return {
    key: { id: caller.callerId, scopes: [...caller.scopes] },
    minute: toWindowBody(minute, now),
    day: toWindowBody(day, now),
    days: Array.from(days, ([date, requests]) => ({ date, requests })),
    counted_by: isShared ? "all_processes" : "this_process",
  };
}

function toWindowBody(
  { limit, remaining, used, secondsToReset }: LimitWindow,
  now: Temporal.Instant,
): UsageAnswer["usage"]["minute"] {
  const hasLimit = Number.isFinite(limit);
  return {
    limit: hasLimit ? limit : null,
    used,
    remaining: hasLimit ? remaining : null,
    // The seconds are rounded up already: once more, and the day would begin after midnight.
    resets_at: now
      .add({ seconds: secondsToReset })
      .round({ smallestUnit: "second", roundingMode: "floor" })
      .toString(),
    resets_in_s: secondsToReset,
  };
}

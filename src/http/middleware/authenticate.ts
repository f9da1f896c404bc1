import { ProblemError } from "../../errors.ts";
import type { Callers, KeyVerdict, RefusalCode } from "../../keys/callers.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { FailedKeys } from "../../limits/local-limits.ts";
import type { Caller, Scope } from "../../keys/key-record.ts";
import type { HttpContext, HttpMiddleware } from "../request-state.ts";
import { isIP, isIPv4 } from "node:net";

/** HTTP asks for a challenge with every 401; this scheme says which header is meant. */
const CHALLENGE = { "WWW-Authenticate": 'ApiKey realm="hereabouts", header="x-api-key"' };

const DETAILS: Readonly<Record<RefusalCode, string>> = {
  invalid_api_key: "The API key is not accepted.",
  revoked_api_key: "The API key was revoked.",
  expired_api_key: "The API key has expired, or was replaced by a newer one.",
};

interface AuthenticateOptions {
  readonly callers: Callers;
  readonly failedKeys: FailedKeys;
  readonly telemetry: Pick<Telemetry, "requestShed">;
}

/**
 * Lets a request pass whose `x-api-key` belongs to a caller, and notes the caller in `ctx.state`. An address that fails too often is
 * told to wait; a key that is known to be good passes from there all the same, so that nobody suffers for others behind one proxy.
 */
export function authenticate(options: AuthenticateOptions): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await checkKey(ctx, options);
    await next();
  };
}

async function checkKey(
  ctx: HttpContext,
  { callers, failedKeys, telemetry }: AuthenticateOptions,
): Promise<Caller> {
  const key = ctx.get("x-api-key");
  const network = readClientNetwork(ctx);
  if (key === "")
    throw refuse("missing_api_key", "The header x-api-key is missing.", failedKeys.count(network));

  // A strange key counts as failed from before it is looked up, or a thousand at once would all be looked up.
  let failure: { secondsToWait: number | undefined } | undefined;
  const countOnce = () => (failure ??= { secondsToWait: failedKeys.count(network) });
  const verdict = await callers.findCaller(key, () => countOnce().secondsToWait === undefined);

  if ("refused" in verdict) {
    throw refuse(verdict.refused, DETAILS[verdict.refused], countOnce().secondsToWait);
  }
  if ("unchecked" in verdict && verdict.unchecked === "not_admitted")
    throw tooManyFailures(countOnce().secondsToWait ?? 1);
  if (failure) failedKeys.forgive(network);
  if (!("unchecked" in verdict)) return verdict.caller;
  if (verdict.unchecked === "busy") telemetry.requestShed("key_lookups");
  throw notChecked(verdict);
}

/**
 * Lets a caller pass whose key may be used for this operation; without a scope every caller. Stands behind `authenticate`, and before
 * the limits: what is refused here counts for none.
 */
export function requireScope(scope: Scope | undefined): HttpMiddleware {
  return (ctx, next) => {
    if (scope === undefined || callerOf(ctx).scopes.has(scope)) return next();
    throw unauthorized("invalid_api_key", `The API key does not have the scope "${scope}".`);
  };
}

/** The caller of a request that `authenticate` let pass. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === undefined) throw new Error("authenticate must stand before this middleware");
  return ctx.state.caller;
}

function refuse(
  code: RefusalCode | "missing_api_key",
  detail: string,
  secondsToWait: number | undefined,
): ProblemError {
  return secondsToWait === undefined ? unauthorized(code, detail) : tooManyFailures(secondsToWait);
}

function unauthorized(code: RefusalCode | "missing_api_key", detail: string): ProblemError {
  return new ProblemError(401, code, detail, { headers: CHALLENGE });
}

function tooManyFailures(seconds: number): ProblemError {
  const detail = `Too many requests without an accepted key. Try again in ${seconds} s.`;
  return new ProblemError(429, "rate_limit_minute", detail, { headers: { "Retry-After": String(seconds) } });
}

/** A good key may be among those that cannot be checked, so 401 would be a lie that makes programs forget their key. */
function notChecked({ unchecked }: Extract<KeyVerdict, { unchecked: unknown }>): ProblemError {
  const headers = { "Retry-After": "1" };
  return unchecked === "busy"
    ? new ProblemError(503, "overloaded", "Too many new keys are being checked. Try again shortly.", {
        headers,
      })
    : new ProblemError(
        500,
        "internal_error",
        "The API key cannot be checked at the moment. Try again shortly.",
        {
          headers,
          cause: new Error(
            "The store of keys does not answer, and this process has not seen the key before.",
          ),
        },
      );
}

/** Who has one IPv6 address has at least a network of this many groups of 16 bits: 2^64 addresses. */
const NETWORK_GROUPS = 4;

const GROUPS = 8;

/**
 * Whom a request is counted for: its IPv4 address, or the /64 network of its IPv6 address. With TRUST_PROXY the one that the proxy
 * names; where that is no address, the proxy's own, so that nothing from outside becomes a name of ours.
 */
function readClientNetwork(ctx: HttpContext): string {
  return toNetwork(isIP(ctx.ip) ? ctx.ip : (ctx.req.socket.remoteAddress ?? ""));
}

/** `192.0.2.1` stays, as does what is no address; `2001:db8::1` becomes `2001:db8:0:0::/64`, `::ffff:192.0.2.1` the IPv4 address. */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIP(address) !== 6) return address;
  return `${expandGroups(address).slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. The one of a dotted end does not matter here, only that it is two. */
function expandGroups(address: string): string[] {
  const [plain = ""] = address.toLowerCase().split("%");
  const [head = "", tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0").split("::");
  const before = toGroups(head);
  const after = toGroups(tail ?? "");
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after];
}

const toGroups = (text: string): string[] =>
  text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));

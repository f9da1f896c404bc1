import {
  addressNotAllowed,
  keyNotChecked,
  originNotAllowed,
  type ProblemError,
  missingScope,
  tooManyFailures,
  tooManyNewKeys,
  unauthorized,
} from "../../errors.ts";
import type { Callers } from "../../keys/callers.ts";
import type { RefusalCode } from "../../keys/key-record.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { FailedKeys } from "../../limits/failed-keys.ts";
import { isInNetworks, type Caller, type Scope } from "../../keys/key-record.ts";
import { readKey, type HttpContext, type HttpMiddleware } from "../request-state.ts";
import { isIP, isIPv4 } from "node:net";

interface AuthenticateOptions {
  readonly callers: Callers;
  readonly failedKeys: FailedKeys;
  readonly telemetry: Pick<Telemetry, "requestShed">;
  /** True where the key may also be the parameter `key`; only a key that is restricted to origins works there. */
  readonly mayBeInQuery?: boolean;
}

/**
 * Lets a request pass whose key belongs to a caller, and stores the caller in `ctx.state`. An address
 * that fails too often has to wait. A known valid key still passes from there, so that callers behind one
 * proxy do not block each other.
 */
export function authenticate(options: AuthenticateOptions): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await checkKey(ctx, options);
    await next();
  };
}

async function checkKey(
  ctx: HttpContext,
  { callers, failedKeys, telemetry, mayBeInQuery = false }: AuthenticateOptions,
): Promise<Caller> {
  const inHeader = readKey(ctx);
  const isInQuery = mayBeInQuery && inHeader === "";
  const key = isInQuery ? (new URLSearchParams(ctx.querystring).get("key") ?? "") : inHeader;
  const network = readClientNetwork(ctx);
  if (key === "") throw refuse("missing_api_key", failedKeys.count(network));

  // An unknown key counts as failed before it is looked up; otherwise a thousand at once would all be looked up.
  let failure: { secondsToWait: number | undefined } | undefined;
  const countOnce = () => (failure ??= { secondsToWait: failedKeys.count(network) });
  const verdict = await callers.findCaller(key, () => countOnce().secondsToWait === undefined);

  if ("refused" in verdict) throw refuse(verdict.refused, countOnce().secondsToWait);
  if ("unchecked" in verdict && verdict.unchecked === "not_admitted")
    throw tooManyFailures(countOnce().secondsToWait ?? 1);
  if (failure) failedKeys.forgive(network);
  if (!("unchecked" in verdict)) {
    // An address is seen by proxies and logs. A key that works for every program must not stand there.
    if (isInQuery && verdict.caller.origins === undefined) throw unauthorized("missing_api_key");
    return verdict.caller;
  }
  if (verdict.unchecked !== "busy") throw keyNotChecked();
  telemetry.requestShed("key_lookups");
  throw tooManyNewKeys();
}

/**
 * Lets a request pass if its key may be used where it comes from. Without `Origin`, which browsers leave out of requests to
 * the page's own server, the origin is that of `Referer`. Comes after `authenticate` and before the limits.
 */
export function requireAllowedUse(): HttpMiddleware {
  return (ctx, next) => {
    const { origins, addresses } = callerOf(ctx);
    if (addresses && !isInNetworks(readClientAddress(ctx), addresses)) throw addressNotAllowed();
    if (origins && !origins.includes(readOrigin(ctx))) throw originNotAllowed();
    return next();
  };
}

function readOrigin(ctx: HttpContext): string {
  const origin = ctx.get("origin");
  if (origin !== "") return origin;
  const referer = ctx.get("referer");
  return URL.canParse(referer) ? new URL(referer).origin : "";
}

/**
 * Lets a request pass whose key has the scope. Comes after `authenticate` and before the limits, so that
 * requests refused here do not count against them.
 */
export function requireScope(scope: Scope): HttpMiddleware {
  return (ctx, next) => {
    if (!callerOf(ctx).scopes.has(scope)) throw missingScope(scope);
    return next();
  };
}

/** The caller of a request that `authenticate` let pass. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === undefined) throw new Error("authenticate must stand before this middleware");
  return ctx.state.caller;
}

const refuse = (code: RefusalCode | "missing_api_key", secondsToWait: number | undefined): ProblemError =>
  secondsToWait === undefined ? unauthorized(code) : tooManyFailures(secondsToWait);

/** The owner of one IPv6 address has at least a /64 network, which is this many groups of 16 bits. */
const NETWORK_GROUPS = 4;

/** Of an address. */
const GROUPS = 8;

/**
 * The address that failures are counted for: the IPv4 address, or the /64 network of the IPv6 address. With
 * TRUST_PROXY it is the one that the proxy names. If that is not an address it is the proxy's address, so
 * that no text from outside is used as an id.
 */
export const readClientNetwork = (ctx: HttpContext): string => toNetwork(readClientAddress(ctx));

const readClientAddress = (ctx: HttpContext): string =>
  isIP(ctx.ip) ? ctx.ip : (ctx.req.socket.remoteAddress ?? "");

/**
 * Returns `192.0.2.1`, and anything that is not an address, unchanged. `2001:db8::1` becomes
 * `2001:db8:0:0::/64`, and `::ffff:192.0.2.1` the IPv4 address.
 */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIP(address) !== 6) return address;
  // Without leading zeros, and with a dotted end as two groups.
  const { hostname } = new URL(`http://[${address.split("%")[0]}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((groups) => groups.split(":").filter(Boolean));
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

import { isIP, isIPv4 } from "node:net";
import type { HttpContext } from "./request-state.ts";

/** Who has one IPv6 address has at least a network of this many groups of 16 bits: 2^64 addresses. */
const NETWORK_GROUPS = 4;

const GROUPS = 8;

/**
 * Whom a request is counted for: its IPv4 address, or the /64 network of its IPv6 address. With TRUST_PROXY the one that the proxy
 * names; where that is no address, the proxy's own, so that nothing from outside becomes a name of ours.
 */
export function readClientNetwork(ctx: HttpContext): string {
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

import { toRecordMatch, type MatchAnswer } from "../../answers/match-response.ts";
import { bodyTooLarge, overloaded, type ProblemError } from "../../errors.ts";
import type { PlaceSearch } from "../../search/search-request.ts";
import { readBody } from "../body.ts";
import { MAX_MATCHED_RECORDS } from "../../place/request-defaults.ts";
import { parseMatchRequest, type MatchRequest } from "../match-request.ts";
import { requireScope } from "../middleware/authenticate.ts";
import type { CountUnits } from "../middleware/rate-limit.ts";
import { hangUpSignal, type HttpContext, type HttpMiddleware } from "../request-state.ts";
import { noteMissing, sendJson } from "../send.ts";

/** A hundred records with names and addresses have some 30 KB. */
const MAX_BODY_BYTES = 256 * 1024;

/** All bodies that are being read. As text and as objects they take some times as much of the memory. */
const MAX_BYTES_UNDER_WAY = 8 * 1024 * 1024;

/** So many records cost the server and the engine about as much as one search (docs/matching.md). */
export const RECORDS_PER_REQUEST = 4;

interface Shares {
  readonly limitedBy: (countUnits: CountUnits) => HttpMiddleware;
  readonly shared: HttpMiddleware;
}

/**
 * `POST /api/maps/match`: the place that each of some records is. The steps after the key: the body is read before the limits,
 * which count its records.
 */
export function matchRoute(
  search: Pick<PlaceSearch, "match">,
  { limitedBy, shared }: Shares,
): readonly HttpMiddleware[] {
  const asked = new WeakMap<HttpContext["req"], MatchRequest | { readonly refusedBy: unknown }>();
  const bytesLeft = { count: MAX_BYTES_UNDER_WAY };

  /** A wrong body is refused after the limits, too. */
  const read: HttpMiddleware = async (ctx, next) => {
    const request = await readRequest(ctx, bytesLeft).catch((error: unknown) => ({ refusedBy: error }));
    asked.set(ctx.req, request);
    await next();
  };

  /** As how many requests a request counts; one if it will be refused. */
  const countUnits: CountUnits = (ctx) => {
    const request = asked.get(ctx.req);
    return request && "records" in request ? Math.ceil(request.records.length / RECORDS_PER_REQUEST) : 1;
  };

  const match: HttpMiddleware = async (ctx) => {
    const request = asked.get(ctx.req)!;
    if ("refusedBy" in request) throw request.refusedBy as ProblemError;
    const { records, minConfidence } = request;
    const found = await search.match(
      records.map((one) => one.asked),
      hangUpSignal(ctx),
    );
    noteMissing(ctx, found.missingPartitions, 0);
    const matches = found.matches.map((one, index) =>
      toRecordMatch({ ...one, id: records[index]?.id }, minConfidence),
    );
    ctx.state.results = matches.filter((one) => one.match !== null).length;
    sendJson<MatchAnswer>(ctx, { matches });
  };

  return [requireScope("search"), read, limitedBy(countUnits), shared, match];
}

async function readRequest(ctx: HttpContext, bytesLeft: { count: number }): Promise<MatchRequest> {
  const bytes = Math.min(ctx.request.length ?? MAX_BODY_BYTES, MAX_BODY_BYTES);
  if (bytes > bytesLeft.count) throw overloaded();
  bytesLeft.count -= bytes;
  try {
    const body = await readBody(ctx, MAX_BODY_BYTES);
    const request = body === undefined ? undefined : parseMatchRequest(body);
    if (request === undefined) throw bodyTooLarge({ bytes: MAX_BODY_BYTES, records: MAX_MATCHED_RECORDS });
    return request;
  } finally {
    bytesLeft.count += bytes;
  }
}

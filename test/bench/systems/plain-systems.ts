import type { Call, HttpCall } from "../load/target.ts";
import type { BenchRequest } from "../queries/bench-request.ts";
import { PLAIN_INDEX, toPlainId } from "../data/plain-index.ts";
import type { PlainEngine } from "./plain-engine.ts";
import type { System } from "./system.ts";

/** As many results as the contract's search and autocomplete give. */
const SEARCH_LIMIT = 20;
const AUTOCOMPLETE_LIMIT = 4;

const limitOf = ({ operation }: BenchRequest): number =>
  operation === "search" ? SEARCH_LIMIT : AUTOCOMPLETE_LIMIT;

/** What everybody writes first: the stock client, and the engine's own sort by distance. */
export function naiveSystem(engine: PlainEngine, compressed: boolean): System {
  return {
    name: compressed ? "naive" : "naive-plain",
    target: { via: "client", url: engine.url, key: engine.key, index: PLAIN_INDEX, compressed },
    toCall: toNaiveCall,
    enginePids: () => [engine.pid],
  };
}

function toNaiveCall(request: BenchRequest): Call {
  if (request.operation === "detail") return { via: "client", documentId: toPlainId(request.dataId) };
  const { latitude, longitude } = request.centre;
  const sort = [`_geoPoint(${latitude},${longitude}):asc`];
  return { via: "client", query: request.text, options: { limit: limitOf(request), sort } };
}

/** The raw engine: text only, no place, no ranking of ours, the cheapest way to it. What an API adds comes on top of this. */
export function floorSystem(engine: PlainEngine): System {
  return {
    name: "floor",
    target: {
      via: "http",
      origin: engine.url,
      headers: [{ authorization: `Bearer ${engine.key}`, "content-type": "application/json" }],
    },
    toCall: toFloorCall,
    enginePids: () => [engine.pid],
  };
}

function toFloorCall(request: BenchRequest): HttpCall {
  const index = `/indexes/${PLAIN_INDEX}`;
  if (request.operation === "detail") {
    return { via: "http", path: `${index}/documents/${toPlainId(request.dataId)}` };
  }
  const body = JSON.stringify({ q: request.text, limit: limitOf(request) });
  return { via: "http", path: `${index}/search`, body };
}

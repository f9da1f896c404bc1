import type { NativePlace } from "../bench/dataset.ts";
import { type PlannedRequest, checkDetail, checkKnownAnswer } from "./judge.ts";
import { toPath } from "./corpus.ts";
import type { World } from "./world.ts";

type MakeRequest = (world: World) => PlannedRequest;

/** Most requests are not in any cache, so that the engine has to work. */
const NEW_SHARE = 0.7;

const KNOWN_PATHS = [
  "/api/maps/search",
  "/api/maps/nearby",
  "/api/maps/reverse",
  "/api/maps/place",
  "/api/maps/autocomplete",
] as const;

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "GET",
  path,
  headers,
});

const detailPath = (dataId: string): string =>
  `/api/maps/place?${new URLSearchParams({ data_id: dataId }).toString()}`;

const good = { key: "good", right: ["200"], needsEngine: true } as const;

function askKnownQuestion(world: World): PlannedRequest {
  const question = world.random.pick(world.questions);
  return {
    ...good,
    name: question.operation,
    request: get(toPath(question, world.random, world.random.fraction() < NEW_SHARE)),
    check: (body, span) => checkKnownAnswer(question, body, world, span),
  };
}

const pickPlace = ({ datasets, random }: World): NativePlace => random.pick(datasets.known);

function askDetail(world: World): PlannedRequest {
  const { data_id } = pickPlace(world);
  return {
    ...good,
    name: "place",
    request: get(detailPath(data_id)),
    check: (body) => checkDetail(data_id, body),
  };
}

function askSeveral(world: World): PlannedRequest {
  const ids = Array.from({ length: 1 + world.random.below(20) }, () => pickPlace(world).data_id);
  const query = new URLSearchParams(ids.map((id) => ["data_id", id]));
  const request = get(`/api/maps/places?${query.toString()}`);
  return { ...good, name: "places", request, units: ids.length };
}

function askDetailOfOneBuild({ datasets, random }: World): PlannedRequest {
  const dataId = random.pick(datasets.onlyIn[random.pick(["a", "b"] as const)]);
  return {
    ...good,
    name: "place of one build",
    request: get(detailPath(dataId)),
    right: ["200", "404 unknown_place"],
    check: (body) => checkDetail(dataId, body),
  };
}

function askUnknownDetail({ random }: World): PlannedRequest {
  const dataId = `0x2:0x${(1 + random.below(0xffff_ffff)).toString(16)}`;
  return { ...good, name: "unknown place", request: get(detailPath(dataId)), right: ["404 unknown_place"] };
}

/** The results depend on the moment, so only the format is checked. */
function askRefined(world: World): PlannedRequest {
  const { random } = world;
  const { latitude, longitude } = pickPlace(world).location;
  const refinement = random.pick([
    "open_now=true",
    "sort=distance&limit=50",
    "min_rating=4&max_price=200000",
    "radius=1500&include=distance,explain",
    "category=COFFEE&include=periods&type=full",
    "limit=5&offset=20&lang=en",
    "fields=title,location.address.full,open_state&fomat=json",
    "format=geojson&include=distance",
    "busy_max=50&include=busyness,freshness,photo",
  ]);
  const path = `/api/maps/search?q=cafe&lat=${latitude}&lng=${longitude}&${refinement}`;
  return { ...good, name: "refined search", request: get(path) };
}

/** What is around a place, without words. */
function askAround(world: World): PlannedRequest {
  const { latitude, longitude } = pickPlace(world).location;
  const [south, north] = [latitude - 0.01, Math.min(90, latitude + 0.01)].map((degrees) =>
    degrees.toFixed(5),
  );
  const [west, east] = [longitude - 0.01, longitude + 0.01].map((degrees) => degrees.toFixed(5));
  const rest = world.random.pick([
    "nearby?include=distance",
    "nearby?category=COFFEE&sort=prominence&radius=2000&include=total",
    "nearby?sort=rating&limit=50&offset=100",
    `nearby?bbox=${west},${south},${east},${north}&format=geojson`,
    "reverse?include=distance",
    "reverse?radius=50&limit=1&format=geojson&lang=en",
    `search?q=cafe&bbox=${west},${south},${east},${north}&sort=distance`,
    `search?q=cafe&bbox_bias=${west},${south},${east},${north}`,
    `autocomplete?q=ca&bbox_bias=${west},${south},${east},${north}`,
  ]);
  return { ...good, name: "around", request: get(`/api/maps/${rest}&lat=${latitude}&lng=${longitude}`) };
}

function askWrongly({ random }: World): PlannedRequest {
  const request = get(random.pick(BAD_QUERIES));
  return { ...good, name: "bad parameter", request, right: ["422 invalid_parameter"], needsEngine: false };
}

const askWithKey =
  (key: "unknown" | "none"): MakeRequest =>
  ({ random }) => ({
    name: `key ${key}`,
    request: get(`${random.pick(KNOWN_PATHS)}?q=cafe`),
    key,
    right: [key === "none" ? "401 missing_api_key" : "401 invalid_api_key"],
    needsEngine: false,
  });

const askUnknownPath: MakeRequest = ({ random }) => ({
  name: "unknown path",
  request: get(random.pick(UNKNOWN_PATHS)),
  key: "good",
  right: ["404 unknown_route"],
  needsEngine: false,
});

const askWithWrongMethod: MakeRequest = ({ random }) => ({
  name: "wrong method",
  request: { method: random.pick(WRONG_METHODS), path: `${random.pick(KNOWN_PATHS)}?q=cafe`, headers: {} },
  key: "good",
  right: ["405 method_not_allowed"],
  needsEngine: false,
});

function askWithOddHeaders(world: World): PlannedRequest {
  const planned = askKnownQuestion(world);
  const headers = world.random.pick(ODD_HEADERS);
  return { ...planned, name: "odd headers", request: { ...planned.request, headers }, right: ["200", "304"] };
}

const askHealth: MakeRequest = () => ({
  name: "healthz",
  request: get("/healthz"),
  key: "none",
  right: ["200"],
  needsEngine: false,
});

/** A user who goes on typing, or closes the page. */
export function askAndHangUp(world: World): PlannedRequest {
  const planned = askKnownQuestion(world);
  const hangUpAfterMs = world.random.below(30);
  return { ...planned, name: "hung up", request: { ...planned.request, hangUpAfterMs } };
}

/** Shares of all requests, in hundredths: mostly ordinary requests, and some of every kind that fails. */
const MIX: readonly (readonly [share: number, make: MakeRequest])[] = [
  [48, askKnownQuestion],
  [12, askDetail],
  [2, askSeveral],
  [3, askDetailOfOneBuild],
  [3, askUnknownDetail],
  [5, askRefined],
  [4, askAround],
  [5, askWrongly],
  [1, askWithKey("unknown")],
  [1, askWithKey("none")],
  [3, askUnknownPath],
  [3, askWithWrongMethod],
  [4, askWithOddHeaders],
  [5, askAndHangUp],
  [1, askHealth],
];

const ALL_SHARES = MIX.reduce((sum, [share]) => sum + share, 0);

/** The next request of the mix. */
export function drawRequest(world: World): PlannedRequest {
  let left = world.random.fraction() * ALL_SHARES;
  for (const [share, make] of MIX) {
    left -= share;
    if (left < 0) return make(world);
  }
  return askKnownQuestion(world);
}

/** Callers' mistakes, each with one right response. */

const BAD_QUERIES: readonly string[] = [
  "/api/maps/search",
  "/api/maps/search?q=",
  "/api/maps/search?q=cafe&q=pho",
  "/api/maps/search?q=cafe&lat=91",
  "/api/maps/search?q=cafe&lat=NaN&lng=1e309",
  "/api/maps/search?q=cafe&limit=0",
  "/api/maps/search?q=cafe&open_now=true&open_at=2026-11-20T20:00Z",
  "/api/maps/search?q=cafe&category=NOTHING",
  "/api/maps/search?q=%ff%fe",
  `/api/maps/search?q=${"x".repeat(257)}`,
  "/api/maps/search?q=cafe&bbox=1,2,3",
  "/api/maps/search?q=cafe&bbox=1,2,3,4&bbox_bias=1,2,3,4",
  "/api/maps/nearby",
  "/api/maps/nearby?lat=10.8&lng=106.7&sort=relevance",
  "/api/maps/reverse?lat=10.8",
  "/api/maps/place",
  "/api/maps/place?data_id=",
  "/api/maps/place?data_id=0x1",
  "/api/maps/place?data_id=0xg:0x1",
  "/api/maps/place?data_id=0x1:0x11111111111111111",
  "/api/maps/place?data_id=../../keys",
  "/api/maps/autocomplete?q=%20%20",
  "/api/maps/autocomplete?q=ca&limit=11",
];

const UNKNOWN_PATHS: readonly string[] = [
  "/api/maps/nowhere",
  "/api/maps/search/",
  "/API/maps/search?q=cafe",
  "/api/maps/place/0x1:0x2",
  "/.env",
  "/__proto__",
  "/api/maps/search%2f..%2fkeys",
];

const WRONG_METHODS: readonly string[] = ["POST", "PUT", "PATCH", "DELETE"];

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "accept-language": "en;q=9,,;;,*;q=x" },
  { "accept-language": `${"en,".repeat(500)}vi` },
  { "if-none-match": '"nothing"' },
  { "if-none-match": `W/"${"x".repeat(500)}"` },
  { "if-modified-since": "Fri, 31 Feb 2026 25:61:61 GMT" },
  { range: "bytes=0-1" },
  { "x-request-id": "<script>alert(1)</script>" },
  { "x-request-id": "x".repeat(4_000) },
  { "x-forwarded-for": "1.2.3.4, unknown", "x-forwarded-host": "elsewhere.example" },
  { accept: "text/html", "accept-encoding": "gzip, br;q=0" },
  { origin: "https://elsewhere.example", cookie: "a=b; __proto__=c" },
];

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "../../../src/local-engines/own-engines.ts";
import { listProcessTree } from "../../bench/process-usage.ts";
import { scriptArguments } from "../../../test/support/program.ts";
import { encodePolyline } from "../../../test/support/polyline.ts";
import { createRandom, type Random } from "../../../test/support/random.ts";
import { openLine } from "../ask.ts";

/**
 * Looks for the requests that cost most: random ones at first, then changes of the most expensive so far. The cost is the processor
 * time of the API and of the engine, read before and after each request.
 */

interface ExpensiveCommand {
  readonly requests: number;
  readonly seed: number;
  readonly places: number;
  /** Keeps the server's data for the next run; a temporary folder by default. */
  readonly data?: string | undefined;
}

interface ExpensiveRun {
  readonly command: ExpensiveCommand;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

/** What a request has cost, in milliseconds of a processor. */
interface Measured {
  readonly path: string;
  readonly status: number;
  readonly apiMs: number;
  readonly engineMs: number;
}

type Parameters = Readonly<Record<string, string>>;

/** A request before it has a centre, which each try chooses anew: no cache may have the result. */
interface Wanted {
  readonly operation: string;
  readonly parameters: Parameters;
}

const EVERYTHING = "distance,periods,explain,match,total,freshness,busyness,photo";

const VOWELS = ["a", "e", "i", "o", "u"];

const PHRASES = [
  "quán cà phê yên tĩnh có wifi chỗ đậu xe đang mở cửa giá rẻ gò vấp",
  "quan ca phe nguyen trai phuong ben thanh quann",
  "123/4 đường nguyễn văn trỗi phường 10 quận phú nhuận thành phố hồ chí minh",
  "nhà hàng món việt gần chợ bến thành mở cửa chủ nhật có chỗ đậu xe",
  "atm",
  "cafe",
  "a",
  "pho",
];

const WORDS =
  "quán cà phê nhà hàng bún bò phở cơm tấm chợ bệnh viện trường học khách sạn nguyễn trãi lê lợi trần hưng đạo bến thành gần đường phường quận highlands coffee circle thuốc ngân hàng siêu thị mở cửa rẻ".split(
    " ",
  );

/** An integer from `least` to `most`. */
const between = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

/** A long text of real words, some with a wrong letter. */
function randomText(random: Random): string {
  const words = Array.from({ length: between(random, 1, 45) }, () => {
    const word = random.pick(WORDS);
    return between(random, 0, 3) === 0 ? `${word}${random.pick(VOWELS)}` : word;
  });
  return words.join(" ").slice(0, 250);
}

const rectangle = (random: Random): string => {
  const size = random.pick([0.02, 0.1, 0.5, 5]);
  return `${106.7 - size},${10.8 - size},${106.7 + size},${10.8 + size}`;
};

/** A ring of spikes around the city, or a zigzag through it, which touch many cells and hold few of their places. */
function jagged(random: Random, points: number): readonly (readonly [lng: number, lat: number])[] {
  const size = random.pick([0.02, 0.1, 0.5]);
  return Array.from({ length: points }, (_, index) => {
    const angle = (2 * Math.PI * index) / points;
    const length = size * (index % 2 === 0 ? 1 : random.pick([0.05, 0.5, 0.9]));
    return [106.7 + length * Math.cos(angle), 10.8 + length * Math.sin(angle)];
  });
}

const polygon = (random: Random): string => {
  const ring = jagged(random, random.pick([4, 40, 198]));
  return encodePolyline([...ring, ring[0]!]);
};

const route = (random: Random): string => {
  const points = jagged(random, random.pick([3, 40, 499]));
  // From end to end of the city, through its middle.
  const isZigzag = random.below(2) === 0;
  return encodePolyline(isZigzag ? points.toSorted(([one], [other]) => one - other) : points);
};

/** What each parameter may be; an absent one is as likely as any. */
const VALUES: Readonly<Record<string, (random: Random) => string>> = {
  q: (random) => (between(random, 0, 1) === 0 ? random.pick(PHRASES) : randomText(random)),
  limit: (random) => random.pick(["50", "20", "1"]),
  offset: (random) => random.pick(["200", "100", "0"]),
  type: () => "full",
  include: (random) => random.pick([EVERYTHING, "total", "explain", "periods,busyness"]),
  sort: (random) => random.pick(["distance", "rating", "prominence", "relevance", "detour"]),
  radius: (random) => random.pick(["500", "5000", "50000"]),
  bbox: rectangle,
  polygon,
  route,
  route_radius: (random) => random.pick(["1", "300", "5000"]),
  category: (random) =>
    random.pick(["COFFEE", "RESTAURANT", "ATM,BANK,COFFEE,RESTAURANT,PHARMACY,HOTEL,SCHOOL,HOSPITAL"]),
  open_at: (random) =>
    `2026-11-${10 + between(random, 0, 18)}T${10 + between(random, 0, 12)}:${10 + between(random, 0, 49)}:00+07:00`,
  open_now: () => "true",
  min_rating: (random) => random.pick(["1", "4", "4.9"]),
  max_price: () => "100000",
  busy_max: (random) => random.pick(["10", "90"]),
  lang: () => "en",
};

const OPERATIONS = ["search", "search", "nearby", "nearby", "reverse", "autocomplete"];

function randomRequest(random: Random): Wanted {
  const operation = random.pick(OPERATIONS);
  const names = Object.keys(VALUES).filter((name) => name === "q" || between(random, 0, 2) === 0);
  return { operation, parameters: Object.fromEntries(names.map((name) => [name, VALUES[name]!(random)])) };
}

/** Changes, adds or removes one to three parameters. */
function change({ operation, parameters }: Wanted, random: Random): Wanted {
  const changed: Record<string, string> = { ...parameters };
  for (let i = between(random, 1, 3); i > 0; i -= 1) {
    const name = random.pick(Object.keys(VALUES));
    if (changed[name] !== undefined && name !== "q" && between(random, 0, 1) === 0) delete changed[name];
    else changed[name] = VALUES[name]!(random);
  }
  return {
    operation: between(random, 0, 9) === 0 ? random.pick(OPERATIONS) : operation,
    parameters: changed,
  };
}

/** The orders that each list has, beside the one by detour, which is that of a route. */
const SORTS: Readonly<Record<string, readonly string[]>> = {
  search: ["relevance", "distance", "rating"],
  nearby: ["distance", "prominence", "rating"],
};

/** Without what may not be given together: a request that is refused costs nothing. */
function withoutContradiction(operation: string, { sort, route_radius, ...others }: Parameters): Parameters {
  const hasRoute = others["route"] !== undefined;
  const isSort = sort === "detour" ? hasRoute : SORTS[operation]?.includes(sort ?? "") === true;
  return { ...others, ...(isSort && { sort }), ...(hasRoute && route_radius && { route_radius }) };
}

const takesText = (operation: string): boolean => operation === "search" || operation === "autocomplete";

function toPath({ operation, parameters }: Wanted, random: Random): string {
  const { q = "cafe", limit, ...others } = withoutContradiction(operation, parameters);
  const centre = {
    lat: `${10.7 + between(random, 0, 200_000) / 1e6}`,
    lng: `${106.6 + between(random, 0, 200_000) / 1e6}`,
  };
  const most = operation === "autocomplete" ? "10" : operation === "reverse" ? "20" : limit;
  const query = new URLSearchParams({ ...(takesText(operation) && { q }), ...others, ...centre });
  if (most !== undefined) query.set("limit", most);
  return `/api/maps/${operation}?${query.toString()}`;
}

/** Processor time of all threads of a process, in milliseconds, exact to the nanosecond. */
function readThreadsMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const times = readdirSync(folder).map((task) => {
    try {
      return Number(readFileSync(`${folder}/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread has ended.
      return 0;
    }
  });
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** The server has other processes, too: the import of the first start may be about to end. */
function isEngine(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("meilisearch");
  } catch {
    return false;
  }
}

const KEY = "hab_expensive_000000000";

interface Started {
  readonly process: ChildProcess;
  readonly origin: string;
}

async function startServer(data: string, places: number): Promise<Started> {
  const [port] = await findFreePorts();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, scriptArguments("start"), {
    cwd: data,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: data,
      DEMO_PLACES: String(places),
      API_KEYS: KEY,
      RATE_LIMIT_PER_MINUTE: "1000000",
      RATE_LIMIT_PER_DAY: "0",
      LOG_LEVEL: "fatal",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (
    !(await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(200);
  return { process: server, origin };
}

/** How many of the most expensive are kept and changed, and how many are printed. */
const KEPT = 10;

/** One request of this many is random, so that the search does not stay where it began. */
const RANDOM_EVERY = 3;

/** A high cost is measured again so often, since other work of the engine may fall into one measurement; the least counts. */
const CONFIRMATIONS = 2;

const costOf = ({ apiMs, engineMs }: Measured): number => apiMs + engineMs;

interface Kept extends Measured {
  readonly wanted: Wanted;
}

/** Of requests for the same words in the same order, in a shape or along a route, the worst is kept: ten changes of one would hide all others. */
function sortOf({ operation, parameters }: Wanted): string {
  const { q, sort, polygon, route } = withoutContradiction(operation, parameters);
  return [operation, takesText(operation) && q, sort, polygon && "polygon", route && "route"].join(" ");
}

function keepWorst(worst: Kept[], found: Kept): void {
  const all = [...worst, found].toSorted((one, other) => costOf(other) - costOf(one));
  const ofEach = [...Map.groupBy(all, ({ wanted }) => sortOf(wanted)).values()].map(([first]) => first!);
  worst.splice(0, worst.length, ...ofEach.slice(0, KEPT));
}

/** Starts a server of its own and returns the most expensive requests found, the worst first, all statuses, and what failed. */
export async function findExpensive({ command, signal, onProgress }: ExpensiveRun) {
  const random = createRandom(command.seed);
  const data = command.data ?? mkdtempSync(join(tmpdir(), "hereabouts-expensive-"));
  mkdirSync(data, { recursive: true });
  onProgress("dataset and engines");
  const { process: server, origin } = await startServer(data, command.places);
  const line = openLine(origin, 1);
  const pids = listProcessTree(server.pid!).filter(isEngine);
  const readEngineMs = (): number => pids.reduce((sum, pid) => sum + readThreadsMs(pid), 0);
  const statuses = new Map<number, number>();
  const failed: Measured[] = [];
  const measure = async (wanted: Wanted): Promise<Measured> => {
    const path = toPath(wanted, random);
    const [api, engine] = [readThreadsMs(server.pid!), readEngineMs()];
    const reply = await line.ask({ method: "GET", path, headers: { "x-api-key": KEY } });
    const status = reply.kind === "answer" ? reply.status : 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const apiMs = readThreadsMs(server.pid!) - api;
    // A thread of the engine that has ended takes its time along.
    const measured = { path, status, apiMs, engineMs: Math.max(0, readEngineMs() - engine) };
    // Nobody else is served: every valid request must be answered.
    if (status === 0 || status >= 500) failed.push(measured);
    return measured;
  };
  const worst: Kept[] = [];
  try {
    for (let tried = 0; tried < command.requests && !signal.aborted; tried += 1) {
      const isRandom = worst.length < KEPT || tried % RANDOM_EVERY === 0;
      const wanted = isRandom ? randomRequest(random) : change(random.pick(worst).wanted, random);
      let least = await measure(wanted);
      const mustExceed = worst.length < KEPT ? 0 : costOf(worst.at(-1)!);
      for (let i = 0; i < CONFIRMATIONS && costOf(least) > mustExceed; i += 1) {
        const again = await measure(wanted);
        if (costOf(again) < costOf(least)) least = again;
      }
      if (costOf(least) > mustExceed) keepWorst(worst, { ...least, wanted });
      if (tried % 500 === 499)
        onProgress(`${tried + 1} requests, the worst ${costOf(worst[0]!).toFixed(0)} ms`);
    }
    return { worst, statuses, failed };
  } finally {
    await line.close();
    server.kill("SIGTERM");
    await once(server, "exit");
    if (command.data === undefined) rmSync(data, { recursive: true, force: true });
  }
}

const formatMeasured = ({ apiMs, engineMs, status, path }: Measured): string => {
  const costs = [apiMs + engineMs, apiMs, engineMs].map((ms) => ms.toFixed(0).padStart(5));
  return `${costs.join("")}  ${status}  ${decodeURIComponent(path.replaceAll("+", " "))}`;
};

/** The report for people. */
export const formatExpensive = ({
  worst,
  statuses,
  failed,
}: Awaited<ReturnType<typeof findExpensive>>): string =>
  [
    `Responses: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}`,
    "CPU in ms: all, API, engine; status; request",
    ...worst.map(formatMeasured),
    ...failed.map((one) => `FOUND, though nobody else is served: ${formatMeasured(one)}`),
  ].join("\n");

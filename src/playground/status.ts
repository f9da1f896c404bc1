import type { StatusAnswer } from "../answers/status.ts";
import { baseUrl, forgetKey, rememberedKey, rememberKey } from "./settings.ts";
import { byId, h, replace, svg } from "./dom.ts";

/** The page for operators: shows what `/api/status` returns, in words and small charts. It changes nothing. */

type Status = StatusAnswer["status"];
type Part = HTMLElement | false;

/** What is shown is at most this old. */
const REFRESH_MS = 60_000;

const main = byId("main");
const LANGUAGE = "en";
const whole = new Intl.NumberFormat(LANGUAGE);
const date = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const count = (number: number, one: string, many = `${one}s`): string =>
  `${whole.format(number)} ${number === 1 ? one : many}`;

const time = (iso: string): HTMLElement => h("time", { datetime: iso }, date.format(new Date(iso)));

const BYTES_PER_UNIT = 1000;

function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(
    units.length - 1,
    Math.floor(Math.log(Math.max(1, bytes)) / Math.log(BYTES_PER_UNIT)),
  );
  const value = bytes / BYTES_PER_UNIT ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** A key for requests: that of this tab, else that of a demo on this machine. */
async function findKey(): Promise<string | undefined> {
  const known = rememberedKey();
  if (known !== undefined) return known;
  const response = await fetch(new URL("playground/demo-key.json", baseUrl));
  if (!response.ok) return undefined;
  return ((await response.json()) as { key: string }).key;
}

async function show(key: string | undefined): Promise<void> {
  if (key === undefined) return askForKey();
  const response = await fetch(new URL("api/status", baseUrl), { headers: { "x-api-key": key } });
  const body = (await response.json()) as StatusAnswer & { title?: string; detail?: string };
  if (response.ok) return showStatus(body.status);
  if (response.status === 401 || response.status === 403) {
    forgetKey();
    return askForKey(
      response.status === 403 ? "This key does not have the scope admin." : "This key is not accepted.",
    );
  }
  throw new Error(body.detail ?? body.title ?? `The server returned ${response.status}.`);
}

function askForKey(problem?: string): void {
  const input = h("input", {
    id: "key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const form = h(
    "form",
    { class: "card key-form" },
    h("label", { for: "key" }, "Key with the scope admin"),
    input,
    problem !== undefined && h("p", { class: "bad", role: "alert" }, problem),
    h("button", { type: "submit" }, "Show the status"),
    h(
      "p",
      { class: "remark" },
      "Create one with ",
      h("code", {}, "npm run -s keys -- create --name status --scopes admin"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    rememberKey(input.value.trim());
    void update();
  });
  replace(main, form);
  input.focus();
}

function showStatus(status: Status): void {
  const parts: Part[] = [
    ...showChecks(status),
    showCoverage(status.coverage),
    showIndex(status),
    showRuns(status.runs),
    showKeys(status.keys),
    ...showQueries(status.queries),
  ];
  replace(main, ...parts, h("p", { class: "remark" }, "Read ", time(status.at), ", and again every minute."));
}

const card = (title: string, ...children: readonly (Node | string | false)[]): HTMLElement =>
  h("section", { class: "card" }, h("h2", {}, title), ...children);

/** Beside two others, where there is room. */
function tallCard(...parts: Parameters<typeof card>): HTMLElement {
  const element = card(...parts);
  element.classList.add("tall");
  return element;
}

const SIGNS = { ok: "✓", warning: "!", problem: "✕" } as const;
const WORDS = { ok: "Well: ", warning: "Warning: ", problem: "Problem: " } as const;

function showChecks({ checks }: Status): Part[] {
  const worst = (["problem", "warning"] as const).find((state) =>
    checks.some((check) => check.state === state),
  );
  const title =
    worst === undefined ? "All is well" : worst === "warning" ? "Worth a look" : "Needs attention";
  const items = checks.map(({ state, text }) =>
    h(
      "li",
      { class: state },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]),
      h("span", { class: "unseen" }, WORDS[state]),
      text,
    ),
  );
  return [card(title, h("ul", { class: "checks" }, ...items))];
}

function showIndex({ index, redis, server }: Status): HTMLElement {
  const facts: [string, Node | string][] = [
    ["Places", index.places === null ? "not known" : whole.format(index.places)],
    ["Imported", index.built_at === null ? "not known" : time(index.built_at)],
    ["Documents", index.document_bytes === null ? "not known" : size(index.document_bytes)],
    ["Form of the index", index.form],
    [
      "Redis",
      redis.memory_bytes === null ? redis.state : `${redis.state}, ${size(redis.memory_bytes)} in use`,
    ],
    ["Server", `${server.version}, ${count(server.processes, "process", "processes")}`],
    ["Running since", time(server.started_at)],
  ];
  return card(
    "Index and server",
    h(
      "dl",
      { class: "facts" },
      ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
  );
}

function showCoverage(coverage: Status["coverage"]): Part {
  if (coverage === null || coverage.sampled === 0) return false;
  const rows = coverage.fields.map(({ field, places }) => {
    const share = Math.round((100 * places) / coverage.sampled);
    return h("li", {}, h("span", {}, field), bar(share), h("span", { class: "number" }, `${share} %`));
  });
  return tallCard(
    "What places have",
    h("ul", { class: "bars" }, ...rows),
    h("p", { class: "remark" }, `From a sample of ${count(coverage.sampled, "place")}.`),
  );
}

/** A bar of 0 to 100. Its number stands beside it. */
const bar = (share: number): SVGElement =>
  svg(
    "svg",
    { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "ground", width: 100, height: 8 }),
    svg("rect", { class: "share", width: share, height: 8 }),
  );

/** A table that can be scrolled on a narrow screen, also with the keyboard. */
const table = (
  name: string,
  head: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement =>
  h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((cell) => h("th", { scope: "col" }, cell)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))),
    ),
  );

function showRuns(runs: Status["runs"]): HTMLElement {
  if (runs === null)
    return card("Last runs", h("p", { class: "remark" }, "Not known: Redis remembers them."));
  if (runs.length === 0) return card("Last runs", h("p", { class: "remark" }, "None yet."));
  const rows = runs.map(({ command, outcome, error, started_at, duration_s, counts }) => [
    time(started_at),
    command,
    h(
      "span",
      { class: outcome === "done" ? "good" : "bad" },
      error === null ? outcome : `${outcome}: ${error}`,
    ),
    Object.entries(counts)
      .map(([name, number]) => `${whole.format(number)} ${name}`)
      .join(", "),
    `${whole.format(duration_s)} s`,
  ]);
  return card("Last runs", table("Last runs", ["Started", "Command", "Result", "Records", "Took"], rows));
}

function showKeys(keys: Status["keys"]): HTMLElement {
  if (keys === null) return card("Keys", h("p", { class: "remark" }, "Not known: they are kept in Redis."));
  const told = `${count(keys.stored, "stored key")}, ${count(keys.configured, "key")} in API_KEYS.`;
  const most = Math.max(1, ...keys.list.flatMap(({ days }) => days.map(({ requests }) => requests)));
  const rows = keys.list.map(({ name, id, state, scopes, last_used_at, days }) => [
    h("span", {}, name, h("small", {}, id)),
    h("span", { class: state === "active" ? "good" : "bad" }, state),
    scopes.join(", "),
    describeUse(last_used_at, days),
    showDays(days, most),
  ]);
  const summary = h("p", { class: "remark" }, told);
  if (rows.length === 0) return card("Keys", summary);
  const head = ["Name", "State", "Scopes", "Last used", "Requests of seven days"];
  return card("Keys", table("Keys", head, rows), summary);
}

/** The time of last use is written once a minute, the count of requests at once. */
function describeUse(usedAt: string | null, days: readonly Day[]): Node | string {
  if (usedAt !== null) return time(usedAt);
  return days.some(({ requests }) => requests > 0) ? "just now" : "never";
}

type Day = NonNullable<Status["keys"]>["list"][number]["days"][number];

const BAR_WIDTH = 10;
const BAR_GAP = 3;
const CHART_HEIGHT = 26;

/** One column for each day; all keys have the same scale. */
function showDays(days: readonly Day[], most: number): HTMLElement {
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const columns = days.map(({ date: when, requests }, at) => {
    const height = requests === 0 ? 1 : Math.max(2, (requests / most) * CHART_HEIGHT);
    const title = svg("title", {}, `${day.format(new Date(when))}: ${count(requests, "request")}`);
    const place = { x: at * (BAR_WIDTH + BAR_GAP), y: CHART_HEIGHT - height, width: BAR_WIDTH, height };
    return svg("rect", { class: requests === 0 ? "ground" : "share", ...place }, title);
  });
  const width = days.length * (BAR_WIDTH + BAR_GAP);
  const chart = svg(
    "svg",
    { viewBox: `0 0 ${width} ${CHART_HEIGHT}`, width, height: CHART_HEIGHT, "aria-hidden": "true" },
    ...columns,
  );
  return h("span", { class: "days" }, chart, h("span", { class: "number" }, whole.format(total)));
}

function showQueries(queries: Status["queries"]): Part[] {
  if (queries === null)
    return [
      card(
        "Queries",
        h(
          "p",
          { class: "remark" },
          "QUERY_LOG=on counts the most frequent queries, and those without results.",
        ),
      ),
    ];
  const list = (
    title: string,
    found: typeof queries.frequent,
    numberOf: (one: (typeof found)[number]) => number,
  ): HTMLElement => {
    const most = Math.max(1, ...found.map(numberOf));
    const rows = found.map((one) =>
      h(
        "li",
        {},
        h("span", {}, one.query),
        bar((100 * numberOf(one)) / most),
        h("span", { class: "number" }, whole.format(numberOf(one))),
      ),
    );
    const none = h("p", { class: "remark" }, "None that five callers have searched.");
    return card(title, rows.length === 0 ? none : h("ol", { class: "bars" }, ...rows));
  };
  return [
    list(`Most frequent queries of ${queries.days} days`, queries.frequent, ({ searches }) => searches),
    list("Queries without results", queries.empty, ({ empty }) => empty),
  ];
}

async function update(): Promise<void> {
  try {
    await show(await findKey());
  } catch (error) {
    replace(
      main,
      h(
        "p",
        { class: "card bad", role: "alert" },
        `The status could not be read. ${(error as Error).message}`,
      ),
    );
  }
}

await update();
setInterval(() => {
  if (document.visibilityState === "visible" && document.querySelector(".key-form") === null) void update();
}, REFRESH_MS);

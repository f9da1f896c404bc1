import type { StatusAnswer } from "../answers/status.ts";
import { baseUrl, forgetKey, rememberedKey, rememberKey } from "./settings.ts";
import { watchSwitches, writeLabels } from "./chrome.ts";
import { byId, h, replace, svg } from "./dom.ts";
import { statusTexts as texts } from "./status-texts.ts";
import { language } from "./texts.ts";

/** The page for operators: shows what `/api/status` returns, in words and small charts. It changes nothing. */

type Status = StatusAnswer["status"];
type Part = HTMLElement | false;

/** What is shown is at most this old. */
const REFRESH_MS = 60_000;

const main = byId("main");
const whole = new Intl.NumberFormat(language);
const oneDecimal = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const time = (iso: string): HTMLElement => h("time", { datetime: iso }, date.format(new Date(iso)));

const BYTES_PER_UNIT = 1000;

function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(
    units.length - 1,
    Math.floor(Math.log(Math.max(1, bytes)) / Math.log(BYTES_PER_UNIT)),
  );
  const value = bytes / BYTES_PER_UNIT ** power;
  return `${(value < 10 && power > 0 ? oneDecimal : whole).format(value < 10 && power > 0 ? value : Math.round(value))} ${units[power]}`;
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
    return askForKey(response.status === 403 ? texts.keyWithoutScope : texts.keyRefused);
  }
  throw new Error(body.detail ?? body.title ?? texts.returned(response.status));
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
    h("label", { for: "key" }, texts.keyLabel),
    input,
    problem !== undefined && h("p", { class: "bad", role: "alert" }, problem),
    h("button", { type: "submit" }, texts.showStatus),
    h(
      "p",
      { class: "remark" },
      texts.createKey,
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
  replace(main, ...parts, h("p", { class: "remark" }, texts.readAt, time(status.at), texts.readAgain));
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

function showChecks(status: Status): Part[] {
  const { checks } = status;
  const worst = (["problem", "warning"] as const).find((state) =>
    checks.some((check) => check.state === state),
  );
  const title = worst === undefined ? texts.allWell : worst === "warning" ? texts.warning : texts.problem;
  const items = checks.map((check) => {
    const { state } = check;
    return h(
      "li",
      { class: state },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]),
      h("span", { class: "unseen" }, texts.states[state]),
      texts.check(check, status),
    );
  });
  return [card(title, h("ul", { class: "checks" }, ...items))];
}

function showIndex({ index, redis, server }: Status): HTMLElement {
  const facts: [string, Node | string][] = [
    [texts.places, index.places === null ? texts.unknown : whole.format(index.places)],
    [texts.imported, index.built_at === null ? texts.unknown : time(index.built_at)],
    [texts.checked, index.checked_at === null ? texts.unknown : time(index.checked_at)],
    [texts.documents, index.document_bytes === null ? texts.unknown : size(index.document_bytes)],
    [texts.form, index.form],
    [
      "Redis",
      [
        texts.redis[redis.state],
        ...(redis.memory_bytes === null ? [] : [texts.inUse(size(redis.memory_bytes))]),
      ].join(", "),
    ],
    [texts.server, `${server.version}, ${texts.processes(server.processes)}`],
    [texts.since, time(server.started_at)],
  ];
  return card(
    texts.index,
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
    return h(
      "li",
      {},
      h("span", {}, texts.field(field)),
      bar(share),
      h("span", { class: "number" }, `${share} %`),
    );
  });
  return tallCard(
    texts.coverage,
    h("ul", { class: "bars" }, ...rows),
    h("p", { class: "remark" }, texts.sample(coverage.sampled)),
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
  if (runs === null) return card(texts.runs, h("p", { class: "remark" }, texts.runsUnknown));
  if (runs.length === 0) return card(texts.runs, h("p", { class: "remark" }, texts.none));
  const rows = runs.map(({ command, outcome, error, started_at, duration_s, counts }) => [
    time(started_at),
    command,
    h(
      "span",
      { class: outcome === "done" ? "good" : "bad" },
      error === null ? texts.outcomes[outcome] : `${texts.outcomes[outcome]}: ${error}`,
    ),
    Object.entries(counts)
      .map(([name, number]) => `${whole.format(number)} ${texts.counted(name)}`)
      .join(", "),
    `${whole.format(duration_s)} s`,
  ]);
  return card(texts.runs, table(texts.runs, texts.runColumns, rows));
}

function showKeys(keys: Status["keys"]): HTMLElement {
  if (keys === null) return card(texts.keys, h("p", { class: "remark" }, texts.keysUnknown));
  const most = Math.max(1, ...keys.list.flatMap(({ days }) => days.map(({ requests }) => requests)));
  const rows = keys.list.map(({ name, id, state, scopes, last_used_at, days }) => [
    h("span", {}, name, h("small", {}, id)),
    h("span", { class: state === "active" ? "good" : "bad" }, texts.keyStates[state]),
    scopes.join(", "),
    describeUse(last_used_at, days),
    showDays(days, most),
  ]);
  const summary = h("p", { class: "remark" }, texts.keyNumbers(keys.stored, keys.configured));
  if (rows.length === 0) return card(texts.keys, summary);
  return card(texts.keys, table(texts.keys, texts.keyColumns, rows), summary);
}

/** The time of last use is written once a minute, the count of requests at once. */
function describeUse(usedAt: string | null, days: readonly Day[]): Node | string {
  if (usedAt !== null) return time(usedAt);
  return days.some(({ requests }) => requests > 0) ? texts.justNow : texts.never;
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
    const title = svg("title", {}, `${day.format(new Date(when))}: ${texts.requests(requests)}`);
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
  if (queries === null) return [card(texts.queries, h("p", { class: "remark" }, texts.queriesOff))];
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
    const none = h("p", { class: "remark" }, texts.noQueries);
    return card(title, rows.length === 0 ? none : h("ol", { class: "bars" }, ...rows));
  };
  return [
    list(texts.frequent(queries.days), queries.frequent, ({ searches }) => searches),
    list(texts.empty, queries.empty, ({ empty }) => empty),
  ];
}

async function update(): Promise<void> {
  try {
    await show(await findKey());
  } catch (error) {
    replace(main, h("p", { class: "card bad", role: "alert" }, texts.failed((error as Error).message)));
  }
}

document.title = `${texts.title} · Hereabouts`;
for (const name of ["title", "map", "docs"] as const) byId(name).append(texts[name]);
writeLabels();
watchSwitches(() => {});
await update();
setInterval(() => {
  if (document.visibilityState === "visible" && document.querySelector(".key-form") === null) void update();
}, REFRESH_MS);

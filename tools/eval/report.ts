import { type Expected, type Kind, NAME_KINDS } from "./cases.ts";
import { BASELINES } from "./baselines.ts";
import { type KindResult, type Outcome, isWholePart, judgedBy } from "./score.ts";
import type { Estimate } from "../../test/support/statistics.ts";
import { formatTable } from "../../src/cli/format.ts";
import { distanceMeters } from "../../src/place/geometry/coordinates.ts";
import type { Dataset } from "./dataset.ts";

const figure = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "–" : value.toFixed(3).replace(/^0/, "");

const interval = ({ low, high }: Estimate): string => `${figure(low)}–${figure(high)}`;
const goal = ({ goal: wanted }: KindResult): string =>
  wanted ? `${figure(wanted.wanted)}${wanted.reached ? " ✓" : " ✗"}` : "";

type Column = readonly [title: string, cell: (result: KindResult) => string];

const TOLD_BY_NAME: Readonly<Record<(typeof NAME_KINDS)[number], string>> = {
  exact: "exact",
  "no-marks": "no marks",
  "typo-1": "1 typo, 5+ letters",
  "typo-2": "2 typos, 10+ letters",
  "typo-1-any": "1 typo, any name",
  "typo-2-any": "2 typos, any name",
  "first-60": "first 60 %",
  joined: "joined",
  swapped: "words swapped",
  "word-missing": "one word missing",
  "short-form": "abbreviated",
  telex: "keys of Telex",
  far: "far, exact",
};

const isNamed = (kind: Kind): kind is (typeof NAME_KINDS)[number] => Object.hasOwn(TOLD_BY_NAME, kind);

const estimateColumns = (title: string, read: (result: KindResult) => Estimate): Column[] => [
  [title, (result) => figure(read(result).value)],
  ["95 %", (result) => interval(read(result))],
];

/** The tables of all rows, for a terminal of 110 columns. */
export function formatResults(results: readonly KindResult[]): string {
  const tables = [
    nameTable(results.filter(({ kind }) => isNamed(kind))),
    autocompleteTable(
      "autocomplete",
      results.filter(({ kind }) => kind === "autocomplete"),
    ),
    autocompleteTable(
      "well-known places",
      results.filter(({ kind }) => kind === "autocomplete-known"),
    ),
    categoryTable(results.filter(({ kind }) => kind.startsWith("category"))),
    chainTable(results.filter(({ kind }) => kind === "chain")),
    addressTable(results.filter(({ kind }) => kind === "address" || kind === "street-ward")),
    ...FORM_TABLES.map(({ title, kind, columns }) =>
      toTable(
        results.filter((result) => result.kind === kind),
        [
          [title, ({ form = kind }) => form],
          ["cases", ({ cases }) => String(cases)],
          ...columns,
          ["empty", ({ empty }) => String(empty)],
          ["goal", goal],
        ],
      ),
    ),
    baselineTable(results.filter(({ baselines }) => baselines)),
  ];
  return tables.filter((table) => table !== "").join("\n\n");
}

function toTable(results: readonly KindResult[], columns: readonly Column[]): string {
  if (results.length === 0) return "";
  return formatTable(
    columns.map(([title]) => title),
    results.map((result) => columns.map(([, cell]) => cell(result))),
  );
}

const nameTable = (results: readonly KindResult[]): string =>
  toTable(results, [
    ["by name", ({ kind }) => (isNamed(kind) ? TOLD_BY_NAME[kind] : kind)],
    ["cases", ({ cases }) => String(cases)],
    ...estimateColumns("MRR", ({ mrr }) => mrr),
    ...estimateColumns("first", ({ first }) => first),
    [
      "ceiling",
      ({ ceiling }) => figure(ceiling && Math.max(ceiling.byDistance.mrr, ceiling.byLikelihood.mrr)),
    ],
    ["goal", goal],
  ]);

const autocompleteTable = (title: string, results: readonly KindResult[]): string =>
  toTable(results, [
    [title, ({ typed }) => `${typed} typed`],
    ["cases", ({ cases }) => String(cases)],
    ...estimateColumns("in four", ({ found }) => found),
    ...estimateColumns("MRR", ({ mrr }) => mrr),
    ["first", ({ first }) => figure(first.value)],
    ["nearest names", ({ ceiling }) => figure(ceiling?.byDistance.found)],
    ["likeliest names", ({ ceiling }) => figure(ceiling?.byLikelihood.found)],
    ["goal", goal],
  ]);

const meters = (value: number | undefined): string => (value === undefined ? "–" : `${Math.round(value)} m`);

const categoryTable = (results: readonly KindResult[]): string =>
  toTable(results, [
    ["near me", ({ kind }) => (kind === "category" ? "category" : "category, 1 typo")],
    ["cases", ({ cases }) => String(cases)],
    ...estimateColumns("of the top 10", ({ share, mrr }) => share ?? mrr),
    ["goal", goal],
    ["mean distance", ({ meters: mean }) => meters(mean)],
    ["ten nearest", ({ idealMeters }) => meters(idealMeters)],
  ]);

const chainTable = (results: readonly KindResult[]): string =>
  toTable(results, [
    ["near me", ({ kind }) => kind],
    ["cases", ({ cases }) => String(cases)],
    ...estimateColumns("nearest first", ({ first }) => first),
    ["goal", goal],
    ...estimateColumns("of the 5 nearest", ({ share, mrr }) => share ?? mrr),
  ]);

const addressTable = (results: readonly KindResult[]): string =>
  toTable(results, [
    ["by address", ({ kind }) => (kind === "address" ? "house and street" : "street and ward")],
    ["cases", ({ cases }) => String(cases)],
    ...estimateColumns("first", ({ first }) => first),
    ...estimateColumns("MRR", ({ mrr }) => mrr),
  ]);

const share = estimateColumns("share", ({ share: value, mrr }) => value ?? mrr);
const first = estimateColumns("first", ({ first: value }) => value);
const mrr = estimateColumns("MRR", ({ mrr: value }) => value);
const plainest: Column = ["plainest", (result) => figure(result.plainest)];

/**
 * One line for each form. Where words are split into a tuning part and one held aside, also one for each whole part.
 */
const FORM_TABLES: readonly {
  readonly title: string;
  readonly kind: Kind;
  readonly columns: readonly Column[];
}[] = [
  { title: "chain by its first words", kind: "branch", columns: [...first, ...share] },
  { title: "kind and chain", kind: "branch-kind", columns: [...first, ...share] },
  { title: "chain and place", kind: "chain-place", columns: [...mrr, ...first] },
  { title: "kind and street", kind: "kind-street", columns: [...share, ...first] },
  { title: "dish in names", kind: "dish", columns: [...share, ...first] },
  { title: "abbreviated and joined", kind: "joined-short", columns: [...mrr, ...first] },
  { title: "kind in English", kind: "english-name", columns: [...mrr, ...first] },
  { title: "name in a question", kind: "question", columns: [...mrr, ...first] },
  { title: "name like an address", kind: "house-name", columns: [...mrr, ...first] },
  { title: "kind and phrase", kind: "phrase", columns: [...share, ...first] },
  { title: "kind and wish", kind: "wish", columns: [...share, ...first] },
  { title: "name and area", kind: "area-name", columns: mrr },
  { title: "chain and area", kind: "area-chain", columns: first },
  { title: "kind and area", kind: "area-kind", columns: share },
  { title: "wish in an area", kind: "area-wish", columns: [...share, ...first] },
  { title: "address", kind: "address-form", columns: [...first, ...mrr] },
  { title: "one typo in a query", kind: "mistyped", columns: [...share, ...first] },
  { title: "two cities", kind: "mixed", columns: share },
  { title: "other scripts", kind: "script", columns: mrr },
  { title: "half typed, search", kind: "half-typed", columns: [...mrr, plainest] },
  {
    title: "half typed, suggestions",
    kind: "autocomplete-half-typed",
    columns: [
      ...estimateColumns("in four", ({ found }) => found),
      plainest,
      ["nearest names", ({ ceiling }) => figure(ceiling?.byDistance.found)],
      ["likeliest names", ({ ceiling }) => figure(ceiling?.byLikelihood.found)],
    ],
  },
];

/**
 * Our order and the engine's, by the figure that each kind is judged by, with an explanation of the orders
 * below.
 */
function baselineTable(results: readonly KindResult[]): string {
  if (results.length === 0) return "";
  const table = toTable(results, [
    ["beside the engine alone", tellKind],
    ["figure", ({ kind }) => FIGURES[kind] ?? "MRR"],
    ["API", (result) => figure(judgedBy(result))],
    ...BASELINES.map(({ name }): Column => [name, ({ baselines }) => figure(baselines?.[name])]),
  ]);
  return [table, ...BASELINES.map(({ name, told }) => `${name}: ${told}`)].join("\n");
}

const FIGURES: Partial<Record<Kind, string>> = {
  autocomplete: "in four",
  "autocomplete-known": "in four",
  chain: "nearest first",
};

const tellKind = ({ kind, typed }: KindResult): string => {
  if (isNamed(kind)) return TOLD_BY_NAME[kind];
  return typed === undefined ? kind : `${kind}, ${typed} typed`;
};

/** How many places of a response are shown. */
const SHOWN = 4;

/** True when the share of right results counts, instead of the rank of one. */
const isJudgedByShare = ({ types, wanted }: Expected): boolean => types !== undefined || wanted !== undefined;

/** True for a response that could be better: another place first, or fewer of a category than exist. */
function isMiss({ asked, rank, share }: Outcome): boolean {
  return isJudgedByShare(asked.expected) ? (share ?? 0) < 1 : rank !== 1;
}

/** The worst first. */
const badness = ({ rank, share }: Outcome): number => (share ?? 1) + (rank === undefined ? 0 : 1 / rank);

/** What is held aside is counted, but not read. */
const isForTuning = ({ asked }: Outcome): boolean => asked.part !== "held aside";

/** Up to `count` imperfect responses of every row that are not held aside, each with the actual and the expected places. */
export function formatMisses(results: readonly KindResult[], dataset: Dataset, count: number): string {
  return results
    .filter(({ form }) => form === undefined || !isWholePart(form))
    .map((result) => {
      const misses = result.outcomes.filter(isMiss);
      const shown = misses
        .filter(isForTuning)
        .toSorted((a, b) => badness(a) - badness(b))
        .slice(0, count);
      const title = [result.kind, result.typed, result.form].filter((one) => one !== undefined).join(" ");
      return [
        `== ${title}: ${misses.length} of ${result.cases} missed`,
        ...shown.map((outcome) => formatMiss(outcome, dataset)),
      ].join("\n");
    })
    .join("\n");
}

function formatMiss({ asked, answer, rank, share }: Outcome, dataset: Dataset): string {
  const { latitude, longitude } = asked.centre;
  const tell = (dataId: string): string => {
    const place = dataset.byDataId.get(dataId);
    if (!place) return `${dataId} (not in the dataset)`;
    const kilometers = distanceMeters(asked.centre, place.location) / 1000;
    return `${place.title} [${place.type}${place.street === "" ? "" : `, ${place.street}`}] ${kilometers.toFixed(2)} km`;
  };
  const { type, area, wish, withinMeters } = asked.expected.wanted ?? {};
  const told =
    asked.expected.wanted &&
    [type, area, wish, withinMeters && `${withinMeters} m`].filter(Boolean).join(", ");
  const wanted =
    (told || undefined) ??
    asked.expected.types?.slice(0, 3).join(" or ") ??
    tell(asked.expected.dataIds[0] ?? "");
  const score =
    share === undefined ? `rank ${rank ?? "–"}` : `rank ${rank ?? "–"}, share ${share.toFixed(2)}`;
  return [
    `"${asked.query}" at ${latitude},${longitude}: ${score}`,
    `    wanted ${wanted}`,
    ...answer.slice(0, SHOWN).map((dataId, place) => `    ${place + 1}. ${tell(dataId)}`),
  ].join("\n");
}

/** The conditions of a run. */
export interface RunFacts {
  readonly dataset: string;
  readonly places: number;
  readonly seed: number;
  readonly queries: number;
  readonly durationMs: number;
}

const DECIMALS = 10_000;
const COORDINATES: ReadonlySet<string> = new Set(["latitude", "longitude"]);

/** One JSON object, with at most `misses` wrong cases of each row. */
export function formatJson(facts: RunFacts, results: readonly KindResult[], misses: number): string {
  const { durationMs, ...rest } = facts;
  const report = {
    ...rest,
    duration_seconds: Math.round(durationMs / 100) / 10,
    results: results.map(({ outcomes, idealMeters, ...figures }) => ({
      ...figures,
      ...(idealMeters !== undefined && { ideal_meters: idealMeters }),
      ...(misses > 0 && { misses: outcomes.filter(isMiss).filter(isForTuning).slice(0, misses) }),
    })),
  };
  return JSON.stringify(report, (name, value: unknown) =>
    typeof value === "number" && !COORDINATES.has(name) ? Math.round(value * DECIMALS) / DECIMALS : value,
  );
}

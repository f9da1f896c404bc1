import { NAME_KINDS, type Kind } from "../cases/case.ts";
import { BASELINES } from "../baselines.ts";
import type { KindResult } from "../evaluate.ts";
import { judgedBy } from "../goals.ts";
import type { Estimate } from "../statistics.ts";
import { formatTable } from "./table.ts";

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
    baselineTable(results.filter(({ baselines }) => baselines)),
  ];
  return tables.filter((table) => table !== "").join("\n\n");
}

function toTable(results: readonly KindResult[], columns: readonly Column[]): string {
  if (results.length === 0) return "";
  return formatTable([
    columns.map(([title]) => title),
    ...results.map((result) => columns.map(([, cell]) => cell(result))),
  ]);
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

/** Ours and the engine's own orders by the figure each kind is judged by, and below what the orders are. */
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

import { setTimeout as sleep } from "node:timers/promises";
import { formatTable } from "../../src/cli/format.ts";
import type { MatchAnswer, RecordMatchAnswer } from "../../src/answers/match-response.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { startApi, type Api } from "./ask.ts";
import { importPart, type DatasetSource } from "./import-dataset.ts";
import { isLeftOut, isPlaceOf, makeMatchCases, MATCH_FORMS, type MatchCase } from "./match-cases.ts";

/** Measures `POST /api/maps/match` with records of a second source, of which a part is not in the index. */

interface MeasureOptions extends DatasetSource {
  readonly cases: number;
  readonly minConfidence: number;
  readonly showMisses: number;
  readonly json: boolean;
}

/** Enough for an interval of 1 % to both sides. */
export const MATCH_CASES = 1_000;

interface Judged {
  readonly asked: MatchCase;
  readonly answer: RecordMatchAnswer;
  /** The likeliest place is the right one, whatever its confidence. */
  readonly isRight: boolean;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Resolves to the report. */
export async function measureMatch(
  options: MeasureOptions,
  topology: Topology,
  signal: AbortSignal,
): Promise<string> {
  const all = await importPart(options, topology, { isLeftOut, signal });
  const byId = new Map(all.map((place) => [place.data_id, place]));
  const cases = makeMatchCases(all, { count: options.cases, seed: options.seed });
  say(
    `${all.length} places, ${all.filter(isLeftOut).length} of them left out of the index, ${cases.length} records`,
  );
  await using api = await startApi(topology);
  const startedAt = performance.now();
  const answers = await askForMatches(cases, api);
  say(`Asked in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
  const judged = cases.map((asked, index) => judge(asked, answers[index]!, byId));
  if (options.json) return `${JSON.stringify(toFigures(judged, options.minConfidence))}\n`;
  return `${formatMatches(judged, options)}\n`;
}

/** The most that a request may have. */
const RECORDS_AT_ONCE = 100;

/** The words of the dataset are counted beside the first request. */
const WARM_UP_MS = 1_000;

async function askForMatches(cases: readonly MatchCase[], api: Api): Promise<RecordMatchAnswer[]> {
  const answers: RecordMatchAnswer[] = [];
  await ask(cases.slice(0, 1), api);
  await sleep(WARM_UP_MS);
  for (let from = 0; from < cases.length; from += RECORDS_AT_ONCE)
    answers.push(...(await ask(cases.slice(from, from + RECORDS_AT_ONCE), api)));
  return answers;
}

async function ask(cases: readonly MatchCase[], { url, key }: Api): Promise<readonly RecordMatchAnswer[]> {
  const records = cases.map(({ record: { name, address, phone, website, location } }) => ({
    name,
    address,
    phone,
    website,
    lat: location?.latitude,
    lng: location?.longitude,
  }));
  const response = await fetch(`${url}/api/maps/match`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    // Places of all confidences are judged: where the threshold lies is part of the report.
    body: JSON.stringify({ records, min_confidence: 0 }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as MatchAnswer).matches;
}

const judge = (
  asked: MatchCase,
  answer: RecordMatchAnswer,
  byId: ReadonlyMap<string, PlaceDocument>,
): Judged => ({
  asked,
  answer,
  isRight: isPlaceOf(asked, answer.match ? byId.get(answer.match.data_id) : undefined),
});

/** Precision: of the records with a match, those with the right one. Recall: of the records of indexed places, those with it. */
function toFigures(judged: readonly Judged[], minConfidence: number) {
  const matched = judged.filter(({ answer }) => answer.match !== null && answer.confidence >= minConfidence);
  const right = matched.filter(({ isRight }) => isRight).length;
  const present = judged.filter(({ asked }) => !asked.isAbsent).length;
  const presentRight = matched.filter(({ isRight, asked }) => isRight && !asked.isAbsent).length;
  return {
    records: judged.length,
    absent: judged.length - present,
    matched: matched.length,
    precision: right / matched.length,
    recall: presentRight / present,
  };
}

const figure = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3).replace(/^0/, ""));

const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

const rowOf = (title: string, judged: readonly Judged[], minConfidence: number): string[] => {
  const { records, absent, matched, precision, recall } = toFigures(judged, minConfidence);
  return [title, String(records), String(absent), String(matched), figure(precision), figure(recall)];
};

function formatMatches(judged: readonly Judged[], { minConfidence, showMisses }: MeasureOptions): string {
  const header = ["records", "absent", "matched", "precision", "recall"];
  const noises = [...new Set(judged.map(({ asked }) => asked.noise))];
  const tables = [
    formatTable(
      ["all, from", ...header],
      THRESHOLDS.map((from) => rowOf(figure(from), judged, from)),
    ),
    formatTable(
      [`from ${figure(minConfidence)}`, ...header],
      MATCH_FORMS.map((form) =>
        rowOf(
          form,
          judged.filter(({ asked }) => asked.form === form),
          minConfidence,
        ),
      ),
    ),
    formatTable(
      ["name", ...header],
      noises.map((noise) =>
        rowOf(
          noise,
          judged.filter(({ asked }) => asked.noise === noise),
          minConfidence,
        ),
      ),
    ),
    formatCalibration(judged),
    ...(showMisses > 0 ? [formatMisses(judged, minConfidence, showMisses)] : []),
  ];
  return tables.join("\n\n");
}

const BINS = [0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99];

/** Of the places with a confidence of about .9, nine of ten should be right. */
function formatCalibration(judged: readonly Judged[]): string {
  const rows = BINS.map((from, index) => {
    const some = judged.filter(
      ({ answer }) =>
        answer.match !== null && answer.confidence >= from && answer.confidence < (BINS[index + 1] ?? 2),
    );
    const mean = some.reduce((sum, { answer }) => sum + answer.confidence, 0) / some.length;
    const right = some.filter(({ isRight }) => isRight).length / some.length;
    return [
      `${figure(from)}–${figure(BINS[index + 1] ?? 1)}`,
      String(some.length),
      figure(mean),
      figure(right),
    ];
  });
  return formatTable(["confidence", "records", "mean", "right"], rows);
}

function formatMisses(judged: readonly Judged[], minConfidence: number, most: number): string {
  const isMatched = ({ answer }: Judged): boolean => answer.confidence >= minConfidence;
  const wrong = judged.filter((one) => (isMatched(one) ? !one.isRight : !one.asked.isAbsent));
  return wrong
    .slice(0, most)
    .map((one) => {
      const { asked, answer } = one;
      const verdict = isMatched(one) ? (asked.isAbsent ? "WRONG, absent" : "WRONG") : "missed";
      const record = [asked.record.name, asked.record.address, asked.record.phone].filter(
        (text) => text !== "",
      );
      return `${verdict} ${figure(answer.confidence)} ${asked.form}, ${asked.noise}: ${record.join(" | ")}
    is    ${asked.place.title} (${asked.place.location.address.street})
    found ${answer.match ? `${answer.match.title} (${answer.match.location.address.street})` : "nothing"} ${answer.reasons.join(" ")}`;
    })
    .join("\n");
}

import { setTimeout as sleep } from "node:timers/promises";
import { toErrorText } from "../../src/cli/errors.ts";
import { versionOf } from "../../src/meilisearch/index-form.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type {
  Decisions,
  PendingWrite,
  RecordOutcome,
  RecordProblem,
  SentRecord,
  WriteCondition,
  WriteQueue,
} from "../../src/redis/write-queue.ts";
import { cleanToDocument } from "../clean/clean-records.ts";
import { toShortText } from "../clean/import-tally.ts";
import { isRejection, type CleanContext, type NoteField, type Rejection } from "../clean/place-draft.ts";
import type { LiveIndex } from "../index/live-index.ts";
import { asObject } from "../sources/record-fields.ts";
import { toNativeDraft } from "../sources/native/native-place.ts";
import type { LiveWriter } from "./apply-changes.ts";
import { patchPlace } from "./patch-place.ts";
import { toRemoval } from "./read-changes.ts";

interface ApplyWritesOptions {
  readonly writer: LiveWriter;
  readonly queue: WriteQueue;
  readonly findTeamAreas?: CleanContext["findTeamAreas"];
  readonly signal: AbortSignal;
  /** Hears of every batch, after searches see it. */
  readonly onApplied: (applied: { readonly writes: number; readonly records: number }) => void;
  /** Hears why a batch has to be tried again. */
  readonly onFailure: (reason: string) => void;
}

/** How soon a write is noticed. */
const POLL_MS = 50;

/** What writes need may be restarting. */
const RETRY_MS = 500;

/**
 * Applies writes in the order in which they were accepted, until the signal is aborted. What fails is tried again: a write
 * leaves the queue only when searches see it.
 */
export async function applyWrites(options: ApplyWritesOptions): Promise<void> {
  const { queue, signal, onApplied, onFailure } = options;
  while (!signal.aborted) {
    try {
      const batch = (await queue.count()) > 0 ? await applyBatch(options) : undefined;
      if (batch) onApplied(batch);
      else await pause(POLL_MS, signal);
    } catch (error) {
      onFailure(toErrorText(error));
      await pause(RETRY_MS, signal);
    }
  }
}

const pause = (durationMs: number, signal: AbortSignal): Promise<void> =>
  sleep(durationMs, undefined, { signal }).catch(() => undefined);

/** The engine takes as long for one record as for some hundreds. More would make the first wait for the last. */
const MAX_RECORDS = 2_000;
const MAX_WRITES = 500;

/** Read first, so that a queue of large writes is not read as a whole. */
const FIRST_WRITES = 20;

/**
 * Applies the oldest writes. All of it happens while nobody else writes, so a second worker sees only what this one has not done.
 * What was decided is stored before the engine gets it, and nothing reaches the engine that could still be lost from
 * the queue: after a crash of any part the same writes follow in the same order, with the same outcomes.
 */
const applyBatch = ({ writer, queue, findTeamAreas }: ApplyWritesOptions) =>
  writer.writeAlone(async (send) => {
    const earlier = await queue.readDecisions();
    const writes = await readBatch(queue);
    if (writes.length === 0) return undefined;
    const today = Temporal.Now.plainDateISO("UTC");
    const { places, removed, noted, decisions } = await decide(writes, writer.live, earlier, {
      today,
      findTeamAreas,
    });
    await queue.decide(decisions);
    await queue.untilStored();
    if (noted.length > 0) await (await send({ places, removed }, noted))();
    await queue.settle(writes, decisions);
    return { writes: writes.length, records: countRecords(writes) };
  });

const countRecords = (writes: readonly PendingWrite[]): number =>
  writes.reduce((sum, { records }) => sum + records.length, 0);

async function readBatch(queue: WriteQueue): Promise<readonly PendingWrite[]> {
  const first = await queue.read(FIRST_WRITES);
  const isAll = first.length < FIRST_WRITES || countRecords(first) > MAX_RECORDS;
  const writes = isAll ? first : await queue.read(MAX_WRITES);
  let records = 0;
  const end = writes.findIndex((write) => (records += write.records.length) > MAX_RECORDS);
  return end === -1 ? writes : writes.slice(0, Math.max(1, end));
}

/** A record with the place that it is about. */
interface NamedRecord {
  readonly write: PendingWrite;
  readonly line: number;
  readonly record: Parsed | Rejection;
}

type Parsed = { readonly identity: string } & (
  | { readonly op: "upsert"; readonly fields: object }
  | { readonly op: "patch"; readonly fields: object & Record<string, unknown> }
  | { readonly op: "delete" }
);

/** Works out, one record after the other, what becomes of each, and what each place is in the end. `earlier` was decided before a crash. */
async function decide(
  writes: readonly PendingWrite[],
  live: Pick<LiveIndex, "readPlacesById">,
  earlier: Decisions,
  context: Omit<CleanContext, "note">,
) {
  const named = writes.flatMap((write) =>
    write.records.map((sent, at): NamedRecord => ({ write, line: at + 1, record: parseRecord(sent) })),
  );
  const identities = new Set(named.flatMap(({ record }) => (isRejection(record) ? [] : [record.identity])));
  const present = await live.readPlacesById([...identities]);
  const before = new Map(present.map((place) => [dataIdIdentity(place.data_id), place]));
  const now = new Map(before);
  const decisions: Record<string, RecordOutcome[]> = {};
  for (const { write, line, record } of named) {
    const decided = earlier[write.streamId]?.find((outcome) => outcome.line === line);
    const outcome = isRejection(record)
      ? toRejected(record)
      : takeRecord(record, {
          places: now,
          condition: decided ? undefined : write.condition,
          decided,
          context,
        });
    (decisions[write.streamId] ??= []).push(decided ?? { line, ...outcome });
  }
  const places = [...identities].flatMap((identity) => {
    const place = now.get(identity);
    return place && place !== before.get(identity) ? [place] : [];
  });
  // Also those that only the index of a running import has.
  const deleted = named.flatMap(({ record }) =>
    !isRejection(record) && record.op === "delete" && !now.has(record.identity) ? [record.identity] : [],
  );
  const changed = places.map((place) => dataIdIdentity(place.data_id));
  return {
    places,
    removed: [...before.keys()].filter((identity) => !now.has(identity)),
    noted: [...new Set([...changed, ...deleted])],
    decisions,
  };
}

type Outcome = Omit<RecordOutcome, "line">;

interface TakeOptions {
  /** By identity. A change of a place goes here. */
  readonly places: Map<string, PlaceDocument>;
  readonly condition: WriteCondition | undefined;
  /** The outcome before a crash: whether the record has an effect is no longer a question. */
  readonly decided: RecordOutcome | undefined;
  readonly context: Omit<CleanContext, "note">;
}

const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["unknown", "conflict", "rejected"]);

function takeRecord(record: Parsed, { places, condition, decided, context }: TakeOptions): Outcome {
  if (decided && WITHOUT_EFFECT.has(decided.outcome)) return decided;
  const present = places.get(record.identity);
  if (!isMet(condition, present)) return { outcome: "conflict", ...describe(present) };
  if (record.op === "delete") {
    places.delete(record.identity);
    return present ? { outcome: "deleted", data_id: present.data_id } : { outcome: "unknown" };
  }
  if (record.op === "patch" && !present) return { outcome: "unknown" };
  const notes: RecordProblem[] = [];
  const note: NoteField = (field, kind, value) => void notes.push(toProblem({ field, reason: kind, value }));
  const place = buildPlace(record, present, { ...context, note });
  if (isRejection(place)) return toRejected(place);
  places.set(record.identity, place);
  const outcome = present ? (record.op === "patch" ? "changed" : "replaced") : "created";
  return { outcome, ...describe(place), ...(notes.length > 0 && { notes }) };
}

const describe = (place: PlaceDocument | undefined): Pick<RecordOutcome, "data_id" | "version"> =>
  place ? { data_id: place.data_id, version: versionOf(place) } : {};

function isMet(condition: WriteCondition | undefined, place: PlaceDocument | undefined): boolean {
  if (condition?.isAbsent && place) return false;
  if (condition?.versions === undefined) return true;
  if (!place) return false;
  return condition.versions === "any" || condition.versions.includes(versionOf(place));
}

/** A bug in cleaning must not stop the queue: such a record is rejected, as a file's would end its import. */
function buildPlace(
  record: Exclude<Parsed, { op: "delete" }>,
  present: PlaceDocument | undefined,
  context: CleanContext,
): PlaceDocument | Rejection {
  try {
    if (record.op === "patch") return patchPlace(present!, record.fields, context);
    const draft = toNativeDraft(record.fields, context.note);
    const place = isRejection(draft) ? draft : cleanToDocument(draft, context);
    // The index may know the place by another data id, which it keeps: it begins with where the place was.
    return isRejection(place) || !present ? place : { ...place, data_id: present.data_id };
  } catch (error) {
    return { field: "record", reason: `cannot be read: ${toErrorText(error)}` };
  }
}

/** Which place a record is about, and what is to become of it. */
function parseRecord(sent: SentRecord): Parsed | Rejection {
  if ("problem" in sent) return { field: "record", reason: sent.problem };
  const value = asObject(sent.value);
  if (!value) return { field: "record", reason: "not a JSON object" };
  const { op = "upsert", ...fields } = value;
  if (op !== "upsert" && op !== "patch" && op !== "delete")
    return { field: "op", reason: "neither upsert, patch nor delete", value: op };
  const found = toRemoval(fields);
  return isRejection(found) ? found : { op, fields, identity: found.identity };
}

const toRejected = (rejection: Rejection): Outcome => ({
  outcome: "rejected",
  errors: [toProblem(rejection)],
});

/** As the report of an import words it. */
const toProblem = ({ field, reason, value }: Rejection): RecordProblem => ({
  field,
  message: value === undefined ? reason : `${reason} (${toShortText(value)})`,
});

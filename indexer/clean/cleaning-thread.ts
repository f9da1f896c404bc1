import { parentPort, workerData } from "node:worker_threads";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import { useOwn } from "../../src/meilisearch/stored-vocabulary.ts";
import { cleanToDocument } from "./clean-records.ts";
import { createDraftHash } from "./draft-hash.ts";
import type { CleanedDraft, ThreadSetup } from "./cleaning-threads.ts";
import { toShortText } from "./import-tally.ts";
import { isRejection, type CleanContext, type PlaceDraft } from "./place-draft.ts";
import { readTeamVocabulary } from "./team-vocabulary.ts";

const { today, areas, withDocuments, kinds, fields } = workerData as ThreadSetup;

useOwn({ kinds, fields });

const context: Omit<CleanContext, "note"> = {
  today: Temporal.PlainDate.from(today),
  findTeamAreas: readTeamVocabulary({ areas })?.findTeamAreas,
  hashDraft: createDraftHash(areas),
};

function clean(draft: PlaceDraft): CleanedDraft {
  const notes: [field: string, kind: string, value?: unknown][] = [];
  const result = cleanToDocument(draft, {
    ...context,
    // The value is only shown.
    note: (field, kind, value) => notes.push([field, kind, value === undefined ? value : toShortText(value)]),
  });
  if (!withDocuments || isRejection(result)) return { result, notes };
  return { result, notes, document: JSON.stringify(toIndexedPlace(result)) };
}

// Opening hours are evaluated with the clock of the process, in UTC (indexer/main.ts).
parentPort?.on("message", (drafts: readonly PlaceDraft[]) => parentPort?.postMessage(drafts.map(clean)));

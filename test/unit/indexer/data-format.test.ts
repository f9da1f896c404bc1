import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cleanDraft } from "../../../indexer/clean/steps.ts";
import { isRejection } from "../../../indexer/place-draft.ts";
import { toNativeDraft } from "../../../indexer/sources/native/native-place.ts";
import { toPlaceDocument } from "../../../indexer/to-place-document.ts";
import { noteTaker } from "./text-input.ts";

const page = readFileSync(new URL("../../../docs/data-format.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);

describe("the examples of docs/data-format.md", () => {
  test("are a small and a full one", () => {
    expect(examples).toHaveLength(2);
  });

  test.each(examples)("are records without fault: %.40s…", (json) => {
    const { context, notes } = noteTaker();
    const draft = toNativeDraft(JSON.parse(json), context.note);
    const cleaned = isRejection(draft) ? draft : cleanDraft(draft, context);
    const document = isRejection(cleaned) ? cleaned : toPlaceDocument(cleaned);
    expect(isRejection(document)).toBe(false);
    expect(notes).toEqual([]);
  });

  test("name every member that a record may have", () => {
    const full = JSON.parse(examples[1] ?? "{}") as object;
    const members =
      "alternate_names business_status contacts data_id description features location opening_hours photos place_id " +
      "popular_times pricing rating review_list reviews source source_id special_days title type";
    expect(Object.keys(full).toSorted().join(" ")).toBe(members);
  });
});

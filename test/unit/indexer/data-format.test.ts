import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cleanDraft } from "../../../indexer/clean/clean-records.ts";
import { isRejection, type PlaceDraft, toValidDocument } from "../../../indexer/clean/place-draft.ts";
import { toNativeDraft } from "../../../indexer/sources/native/native-place.ts";
import { readTableCsv } from "../../../indexer/sources/table/csv-table.ts";
import { COLUMNS } from "../../../indexer/sources/table/columns.ts";
import { noteTaker, textInput } from "./text-input.ts";

const page = readFileSync(new URL("../../../docs/data-format.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);

describe("the examples of docs/data-format.md", () => {
  test("are a minimal and a full one", () => {
    expect(examples).toHaveLength(2);
  });

  test.each(examples)("are valid records: %.40s…", (json) => {
    const { context, notes } = noteTaker();
    const draft = toNativeDraft(JSON.parse(json), context.note);
    const cleaned = isRejection(draft) ? draft : cleanDraft(draft, context);
    const document = isRejection(cleaned) ? cleaned : toValidDocument(cleaned);
    expect(isRejection(document)).toBe(false);
    expect(notes).toEqual([]);
  });

  test("have every field of a record", () => {
    const full = JSON.parse(examples[1] ?? "{}") as object;
    const fields =
      "alternate_names business_status confirmed_on contacts custom data_id description features location names opening_hours photos " +
      "place_id popular_times pricing rating review_list reviews source source_id special_days title type";
    expect(Object.keys(full).toSorted().join(" ")).toBe(fields);
  });
});

describe("the CSV of docs/data-format.md", () => {
  test("is read without errors", async () => {
    const [, csv = ""] = /```csv\n(.*?)```/s.exec(page) ?? [];
    const { context, notes } = noteTaker();
    const [item] = await Array.fromAsync(readTableCsv(textInput(csv), context));
    const draft = item && "draft" in item ? cleanDraft(item.draft, context) : undefined;
    expect(draft && toValidDocument(draft as PlaceDraft)).toMatchObject({
      title: "Phở Sáng",
      location: { latitude: 10.7769 },
      pricing: { min: 25_000, max: 60_000 },
      opening_hours: { week: [[[360, 660]], [], [], [], [], [], []] },
    });
    expect(notes).toEqual([]);
  });

  test("has every column of the table, and no other", () => {
    const rows = [...page.matchAll(/^\| `([a-z_]+)` +(?:… `[a-z]+` +)?\| `([a-z_.]+)` .*\|$/gm)];
    const documented = rows.map(([, column = "", field = ""]) => `${column} ${field}`);
    const named = COLUMNS.filter(({ form, column }) => form !== "day" || column === "monday");
    expect(documented.toSorted()).toEqual(named.map(({ column, field }) => `${column} ${field}`).toSorted());
  });
});

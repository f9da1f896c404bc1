import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../src/cli/errors.ts";
import { isRejection } from "../../../../indexer/clean/place-draft.ts";
import { readGosomCsv, readGosomLines } from "../../../../indexer/sources/google/gosom.ts";
import { noteTaker, readAll, textInput } from "../text-input.ts";
import { GOSOM_RECORD } from "./google/google-records.ts";

/** The record by the columns of the newest header; an older one has none of `input_id` and fewer others. */
const COLUMNS: Record<string, unknown> = {
  ...GOSOM_RECORD,
  website: GOSOM_RECORD.web_site,
  longitude: GOSOM_RECORD.longtitude,
  descriptions: GOSOM_RECORD.description,
  street_view_url: "",
};
for (const name of ["web_site", "longtitude", "description", "categories"]) delete COLUMNS[name];

const toCell = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
};

const toCsv = (columns: Record<string, unknown>): string =>
  `${Object.keys(columns).join(",")}\n${Object.values(columns).map(toCell).join(",")}\n`;

async function readOne(columns: Record<string, unknown>) {
  const { context, notes } = noteTaker();
  const [item] = await Array.fromAsync(readGosomCsv(textInput(toCsv(columns)), context));
  return { item, notes };
}

describe("the CSV of gosom", () => {
  test("gives the same places as its JSON", async () => {
    const { item } = await readOne(COLUMNS);
    const [ofJson] = await readAll(readGosomLines, JSON.stringify({ ...GOSOM_RECORD, categories: null }));
    expect(item).toMatchObject({ draft: ofJson && "draft" in ofJson ? ofJson.draft : undefined });
  });

  test("of an older version, without input_id, lists and extended reviews, is also read", async () => {
    const older = { ...COLUMNS };
    for (const name of ["input_id", "user_reviews_extended", "place_id", "about"]) delete older[name];
    expect((await readOne(older)).item).toMatchObject({
      draft: { source_id: GOSOM_RECORD.data_id, type: "COFFEE", opening_hours: { special_days: [] } },
    });
  });

  test("with a nested column that is not JSON loses only that column", async () => {
    const { item, notes } = await readOne({ ...COLUMNS, open_hours: "{Monday" });
    expect(item && "draft" in item && !isRejection(item.draft) ? item.draft.opening_hours : 1).toBeNull();
    expect(notes).toContain("open_hours: not JSON, dropped");
  });

  test("with words for a number rejects the row and shows it", async () => {
    const { item } = await readOne({ ...COLUMNS, latitude: "north" });
    expect(item).toMatchObject({
      position: { part: "line", number: 2 },
      rejected: { field: "location" },
      record: expect.stringContaining("north") as string,
    });
  });

  test.each([
    ["title", /lacks .* title/],
    ["latitude", /lacks .* latitude/],
  ])("without the column %s ends the import", async (column, message) => {
    const columns = { ...COLUMNS };
    delete columns[column];
    const reading = readAll(readGosomCsv, toCsv(columns));
    await expect(reading).rejects.toThrow(CommandError);
    await expect(reading).rejects.toThrow(message);
  });

  test("without any id ends the import", async () => {
    await expect(readAll(readGosomCsv, "title,latitude,longitude\nA,1,2\n")).rejects.toThrow(
      /one of data_id/,
    );
  });
});

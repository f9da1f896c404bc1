import { describe, expect, test } from "vitest";
import { cleanToDocument } from "../../../../indexer/clean/clean-records.ts";
import { isRejection, type PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { createExportFilter } from "../../../../indexer/export/export-filter.ts";
import { EXPORT_FORMATS, writePlaces, type ExportForm } from "../../../../indexer/export/export-forms.ts";
import { readNative } from "../../../../indexer/sources/native/native.ts";
import { readTableCsv } from "../../../../indexer/sources/table/csv-table.ts";
import { readGeojsonTable } from "../../../../indexer/sources/table/geojson-table.ts";
import { emptyDraft } from "../../../../indexer/clean/place-draft.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import type { ReadSource } from "../../../../indexer/sources/source.ts";
import { noteTaker, textInput } from "../text-input.ts";

const { context } = noteTaker();

function place(changes: Partial<PlaceDraft>, location: Partial<PlaceDraft["location"]> = {}): PlaceDocument {
  const draft = emptyDraft();
  const at = { ...draft.location, latitude: 21.0312, longitude: 105.8523, ...location };
  const cleaned = cleanToDocument(
    { ...draft, source_id: "1", title: "Lặng", ...changes, location: at },
    context,
  );
  if (isRejection(cleaned)) throw new Error(cleaned.reason);
  return cleaned;
}

const week = Array.from({ length: 7 }, (_, day): [number, number][] => (day === 0 ? [] : [[420, 1320]]));

const FULL = place({
  title: 'Quán "Lặng", số 2\tnhà A',
  alternate_names: ["Quiet", "Lang; quán"],
  source: "survey",
  type: "COFFEE",
  rating: 4.5,
  reviews: 1250,
  pricing: { min: 25_000, max: 60_000 },
  contacts: { phone: "024 3825 1004", website: "https://lang.example/a,b" },
  confirmed_on: "2026-11-02",
  opening_hours: { week, special_days: [{ date: "2027-02-05", ranges: [] }] },
  features: {
    accessibility: [],
    parking: ["has_parking_motorcycle"],
    payments: ["pay_qr_code"],
    service_options: [],
    other: [],
  },
  description: "Quán nhỏ.\nBên hồ.",
});
const EMPTY = place({ source_id: "2", title: "Phin" });

async function* pages() {
  yield [FULL];
  yield [];
  yield [EMPTY];
}

const textOf = async (form: ExportForm): Promise<string> =>
  (await Array.fromAsync(writePlaces(pages(), form))).join("");

const READERS: Readonly<Record<ExportForm["format"], ReadSource>> = {
  native: readNative,
  csv: readTableCsv,
  geojson: readGeojsonTable,
};

describe.each(EXPORT_FORMATS)("%s", (format) => {
  test.each([false, true])("an import of the file gives the same places (complete: %s)", async (complete) => {
    const text = await textOf({ format, complete });
    const items = await Array.fromAsync(READERS[format](textInput(text), context));
    const places = items.map((item) => ("draft" in item ? cleanToDocument(item.draft, context) : item));
    const expected = complete ? [FULL, EMPTY].map(({ data_id }) => ({ data_id })) : [FULL, EMPTY];
    expect(places).toMatchObject(expected);
  });
});

test("a file of no places is whole, too", async () => {
  async function* nothing() {
    yield [];
  }
  const text = (await Array.fromAsync(writePlaces(nothing(), { format: "geojson", complete: false }))).join(
    "",
  );
  expect(JSON.parse(text)).toEqual({ type: "FeatureCollection", features: [] });
});

test("a complete CSV has the ward, city, one-line address and district that the source lacks", async () => {
  const lines = (await textOf({ format: "csv", complete: true })).trimEnd().split("\n");
  const names = (lines[0] ?? "").replace("\uFEFF", "").split(",");
  const cells = (lines.at(-1) ?? "").match(/(?:"[^"]*"|[^,]*)(?:,|$)/g) ?? [];
  const row: Record<string, string> = Object.fromEntries(
    cells.map((cell, at) => [names[at] ?? "", cell.replace(/,$/, "")]),
  );
  expect(row).toMatchObject({
    ward: "Phường Hoàn Kiếm",
    city: "Hà Nội",
    district: "Quận Hoàn Kiếm",
    address: '"Phường Hoàn Kiếm, Hà Nội"',
  });
});

describe("createExportFilter", () => {
  test.each([
    [{ area: "Hoàn Kiếm" }, [true, true]],
    [{ area: "quan hoan kiem" }, [true, true]],
    [{ area: "Quận 1" }, [false, false]],
    [{ type: "COFFEE" }, [true, false]],
    [{ changedSince: "2026-11-02" }, [true, false]],
    [{ changedSince: "2026-11-03" }, [false, false]],
    [{ area: "Hà Nội", type: "RESTAURANT" }, [false, false]],
    [{ area: "survey:north" }, [false, false]],
  ] as const)("%j", (filter, expected) => {
    expect([FULL, EMPTY].map(createExportFilter(filter))).toEqual(expected);
  });

  test("an unknown area names the nearest ones", () => {
    expect(() => createExportFilter({ area: "Hoan Kiemm" })).toThrow(/Nearest: .*Quận Hoàn Kiếm/);
    expect(() => createExportFilter({ area: "Atlantis" })).toThrow('There is no area "Atlantis".');
  });
});

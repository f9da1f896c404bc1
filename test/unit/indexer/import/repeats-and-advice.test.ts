import { expect, test } from "vitest";
import { readDocuments } from "../../../../indexer/clean/clean-records.ts";
import { createAddressPoints } from "../../../../indexer/clean/address-points.ts";
import { createTally } from "../../../../indexer/clean/import-tally.ts";
import type { AddressPoints } from "../../../../indexer/clean/place-draft.ts";
import { buildReport, formatReport } from "../../../../indexer/import/import-report.ts";
import { readTableCsv } from "../../../../indexer/sources/table/csv-table.ts";
import { textInput, TODAY } from "../text-input.ts";

/** The report of an import of such tables. */
const reportOn = (...tables: string[]) => report(tables, {});

async function report(tables: readonly string[], options: { readonly points?: AddressPoints }) {
  const tally = createTally();
  const sources = tables.map((table, number) => ({
    input: { ...textInput(table), name: `${number + 1}.csv` },
    format: "csv",
    read: readTableCsv,
  }));
  await Array.fromAsync(
    readDocuments(sources, { tally, today: TODAY, signal: new AbortController().signal, ...options }),
  );
  const built = buildReport({ outcome: "valid", sources, tally, indexed: 0, durationMs: 1 });
  return { report: built, text: formatReport(built) };
}

const HEADER = "id,name,lat,lng,type,address\n";

test("records that occur again are named, by their id or by name and position", async () => {
  const first = "1,Lặng,21.0285,105.8542,café,\n2,Phin,21.0301,105.8511,café,\n";
  const { report, text } = await reportOn(
    `${HEADER}${first}1,Lặng mới,21.0285,105.8542,café,\n`,
    `${HEADER}3,PHIN,21.0301,105.8511,café,\n4,Phin,21.0401,105.8511,café,\n`,
  );
  expect(report.repeated).toEqual({
    total: 2,
    records: [
      expect.objectContaining({
        by: "id",
        title: "Lặng mới",
        again: { file: "1.csv", part: "line", number: 4 },
      }),
      expect.objectContaining({ by: "name and position", first: { file: "1.csv", part: "line", number: 3 } }),
    ],
  });
  expect(text).toContain("1.csv, line 4: the id of line 2 (Lặng mới), the later one counts");
  expect(text).toContain("2.csv, line 2: the name and position of 1.csv, line 3 (PHIN), both are kept");
});

test("each file has its counts", async () => {
  const { report, text } = await reportOn(`${HEADER}1,A,21.0285,105.8542,café,\n2,B,,,café,\n`, HEADER);
  expect(report.by_file).toEqual([
    { name: "1.csv", places: 1, skipped: 0, rejected: 1 },
    { name: "2.csv", places: 0, skipped: 0, rejected: 0 },
  ]);
  expect(text).toContain("files\n  1.csv: 1 place, 1 rejected\n  2.csv: 0 places");
});

test("places without a kind are counted, with what to do about it", async () => {
  const { report, text } = await reportOn(
    `${HEADER}1,Lặng,21.0285,105.8542,,\n2,Mây Coffee,21.0295,105.8542,,\n`,
  );
  expect(report.without_kind).toBe(1);
  expect(text).toContain("1 of 2 places without a kind");
  expect(text).toContain("--type KIND");
});

test.each([
  ["16.1523,108.4023", "", "in no ward of Vietnam"],
  ["0.5123,-140.0123", "", "in the open sea"],
  ["48.8566,2.3522", '"1 Hàng Gai, Hà Nội"', "outside the country of the phone or address"],
])("most places at %s with the address %s: a warning", async (position, address, reason) => {
  const rows = ["a", "b", "c"].map((name, id) => `${id},${name},${position},café,${address}\n`).join("");
  const { report } = await reportOn(`${HEADER}${rows}9,z,21.0285,105.8542,café,\n`);
  expect(report.advice).toEqual([
    expect.stringMatching(new RegExp(`^Most places are astray: 3 of 4 lie (?:${reason})`)),
  ]);
});

test("a few places astray are no warning", async () => {
  const { report } = await reportOn(`${HEADER}1,a,0.5123,-140.0123,café,\n2,b,21.0285,105.8542,café,\n`);
  expect(report.advice).toEqual([]);
});

const WITHOUT_COORDINATES =
  `${HEADER}1,Lặng,,,café,"14 Lê Lợi, Bến Nghé, Quận 1, TP.HCM"\n` +
  `2,Phin,10.775,106.701,café,"10 Lê Lợi, Bến Nghé, Quận 1, TP.HCM"\n` +
  `3,Mây,10.775,106.702,café,"20 Lê Lợi, Bến Nghé, Quận 1, TP.HCM"\n`;

test("a report on places without coordinates says what can be done about them", async () => {
  const { text } = await reportOn(WITHOUT_COORDINATES);
  expect(text).toContain("1.csv, line 2: Lặng, 14 Lê Lợi, Bến Nghé, Quận 1, TP.HCM");
  expect(text).toContain("1 of 3 records without coordinates: --geocode estimates them from their addresses");
});

test("estimated coordinates are counted by what they were estimated from, and named", async () => {
  const { report: found, text } = await report([WITHOUT_COORDINATES], { points: createAddressPoints() });
  expect(found.geocoded).toMatchObject({
    total: 1,
    house: 1,
    street: 0,
    ward: 0,
    places: [{ title: "Lặng" }],
  });
  expect(text).toContain("geocoded    1 place by address: 1 from other houses of the street");
  expect(text).toContain(
    "1.csv, line 2: Lặng, 14 Lê Lợi, Bến Nghé, Quận 1, TP.HCM: 10.77500, 106.70140 (house)",
  );
  expect(text).not.toContain("--geocode");
});

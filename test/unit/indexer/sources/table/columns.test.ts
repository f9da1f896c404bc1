import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  columnsSchema,
  isPlaceHeader,
  problemOfHeader,
  readHeader,
} from "../../../../../indexer/sources/table/columns.ts";
import table from "../../../../../indexer/sources/table/columns.json" with { type: "json" };

const columnsOf = (...names: string[]) =>
  Object.fromEntries([...readHeader(names).columns].map(([header, { column }]) => [header, column]));

describe("readHeader", () => {
  test("knows what people write, in any case, with blanks or underscores, and with units in brackets", () => {
    expect(
      columnsOf("NAME", "Opening_Hours", "tel", "Vĩ độ (Y)", "KINH ĐỘ", "dia chi", "Loại", "url"),
    ).toEqual({
      NAME: "title",
      Opening_Hours: "opening_hours",
      tel: "phone",
      "Vĩ độ (Y)": "latitude",
      "KINH ĐỘ": "longitude",
      "dia chi": "address",
      Loại: "type",
      url: "website",
    } satisfies Record<string, string>);
  });

  test("gives --map the first word, then our own names, then what people write", () => {
    const { columns, unread } = readHeader(["Tên", "title", "label"], { map: new Map([["title", "LABEL"]]) });
    expect([...columns].map(([header, { column }]) => [header, column])).toEqual([["label", "title"]]);
    expect(unread.map(({ header }) => header)).toEqual(["title", "Tên"]);
  });

  test("proposes no column that another header has", () => {
    const { unread } = readHeader(["Tên", "adress", "địa chỉ"]);
    expect(unread).toEqual([{ header: "adress", advice: "" }]);
  });

  test("proposes a column for a word that is wrong by a letter, and for a compound", () => {
    const { unread } = readHeader(["adress", "shop_name", "mood", "STT"]);
    expect(unread).toEqual([
      { header: "adress", advice: "--map address=adress reads it" },
      { header: "shop_name", advice: "--map title=shop_name reads it" },
      { header: "mood", advice: "" },
    ]);
  });

  test("a header of --map or --id that the file lacks is named", () => {
    const options = { map: new Map([["title", "shop"]]) };
    expect(problemOfHeader(readHeader(["name", "lat", "lng"], options), options)).toMatch(/no column "shop"/);
    const byId = { id: ["Code"] };
    expect(problemOfHeader(readHeader(["name", "lat", "lng"], byId), byId)).toMatch(/no column "Code"/);
  });

  test("a name with an address is a table of places, a name alone is none", () => {
    expect(isPlaceHeader(readHeader(["name", "address"]))).toBe(true);
    expect(isPlaceHeader(readHeader(["name", "lat"]))).toBe(false);
  });
});

test("no header of columns.json belongs to two columns", () => {
  const { columns, ignored } = v.parse(columnsSchema, table);
  const headers = Object.entries(columns).map(([column, { headers: names }]) => [column, names] as const);
  for (const [column, names] of [...headers, ["", ignored] as const])
    for (const name of names) expect([name, columnsOf(name)[name] ?? ""]).toEqual([name, column]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { useOwn } from "../../../src/meilisearch/stored-vocabulary.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("own-fields");
const write = (name: string, text: string): string => {
  const path = join(own.folder, name);
  writeFileSync(path, text);
  return path;
};

const FIELDS = `name,type,filter,searched
floor,number,yes,no
vegan,boolean,yes,
roaster,text,yes,yes
beans,list,yes,yes
opened_on,date,yes,
note,text,,yes
`;

const PLACES = `id,name,type,lat,lng,floor,vegan,Roaster,beans,opened on,note,custom.seats
1,Mây,COFFEE,10.7690,106.6800,3,yes,Hạt Đỏ,arabica; robusta,31/12/2024,ngồi bệt trên chiếu,12
2,Gió,COFFEE,10.7691,106.6801,1,no,Nhà Rang,arabica,2025-06-01,,
3,Nắng,COFFEE,10.7692,106.6802,"5",,Hạt Do,,,,
4,Sương,COFFEE,10.7693,106.6803,cao,,,,hôm qua,,
`;

const AT = "lat=10.769&lng=106.68";

interface Found {
  readonly title: string;
  readonly custom?: object;
}

describe("fields of one's own", () => {
  let app: TestApp;
  let index: PlaceIndex;
  let report = "";

  beforeAll(async () => {
    const fields = write("fields.csv", FIELDS);
    const places = write("places.csv", PLACES);
    const imported = await runIndex(["import", places, "--fields", fields, "--id", "id"], own.env);
    if (imported.exitCode !== 0) throw new Error(imported.stderr);
    report = imported.stderr;
    // A server is another process, and has them from the index alone.
    useOwn(undefined);
    index = openPlaceIndex(own.engines.index);
    const search = createPlaceSearch(index, { useOwn, deadlineMs: 10_000 });
    app = await startTestApp({ index, search });
    await search.prepared;
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await index?.close();
  });

  const find = async (query: string): Promise<readonly Found[]> =>
    (await app.read<{ local_result: Found[] }>(`/api/maps/${query}`)).local_result;
  const titlesOf = async (query: string): Promise<string[]> =>
    (await find(query)).map(({ title }) => title).toSorted();

  test("are returned with include=custom, and not without", async () => {
    const [place] = await find(`nearby?${AT}&include=custom&limit=1`);
    expect(place?.custom).toEqual({
      floor: 3,
      vegan: true,
      roaster: "Hạt Đỏ",
      beans: ["arabica", "robusta"],
      opened_on: "2024-12-31",
      note: "ngồi bệt trên chiếu",
      seats: 12,
    });
    const [plain] = await find(`nearby?${AT}&limit=1`);
    expect(plain).not.toHaveProperty("custom");
    const id = (plain as unknown as { data_id: string }).data_id;
    const detail = await app.read<{ place_result: Found }>(`/api/maps/place?data_id=${id}&include=custom`);
    expect(detail.place_result.custom).toMatchObject({ seats: 12 });
  });

  test("that are not of their type are reported and left out", async () => {
    expect(report).toContain("custom.floor: not a number");
    expect(report).toContain("custom.opened_on: not a date");
    const [place] = (await find(`nearby?${AT}&include=custom`)).filter(({ title }) => title === "Sương");
    expect(place?.custom).toEqual({});
  });

  test.each([
    ["custom.floor>=3", ["Mây", "Nắng"]],
    ["custom.floor<=3", ["Gió", "Mây"]],
    ["custom.floor>=2&custom.floor<=4", ["Mây"]],
    ["custom.floor=5", ["Nắng"]],
    ["custom.vegan=true", ["Mây"]],
    ["custom.vegan=false", ["Gió"]],
    ["custom.beans=arabica", ["Gió", "Mây"]],
    ["custom.roaster=h%E1%BA%A1t%20%C4%91%E1%BB%8F", ["Mây"]],
    ["custom.roaster=Nh%C3%A0%20Rang,H%E1%BA%A1t%20Do", ["Gió", "Nắng"]],
    ["custom.opened_on>=2025-01-01", ["Gió"]],
    ["custom.opened_on<=2024-12-31", ["Mây"]],
    ["custom=floor%3E%3D3&custom=vegan%3Dtrue", ["Mây"]],
    ["custom.vegan=true&custom.floor=1", []],
  ])("filter lists and searches: %s", async (filter, titles) => {
    expect(await titlesOf(`nearby?${AT}&${filter}`)).toEqual(titles);
    expect(await titlesOf(`search?${AT}&q=cafe&${filter}`)).toEqual(titles);
  });

  test.each([
    ["hat do", "Mây"],
    ["robusta", "Mây"],
    ["cafe ngồi bệt trên chiếu", "Mây"],
  ])("are searched where they are declared so: %s", async (q, title) => {
    expect((await find(`search?${AT}&q=${encodeURIComponent(q)}`))[0]?.title).toBe(title);
  });

  test.each([
    ["custom.flor=3", 'has no filter "flor"; this dataset has floor (number), vegan (boolean)'],
    ["custom.note=x", 'has no filter "note"; this dataset has floor'],
    ["custom.floor=drei", "needs a number for floor"],
    ["custom.opened_on>=gestern", "needs a date for opened_on"],
    ["custom.vegan=maybe", "needs true or false for vegan"],
    ["custom.roaster>=a", "compares roaster with = only: it is a text"],
    ["custom.floor>3", "must be written name=value, name>=number or name<=number"],
  ])("refuse %s", async (filter, message) => {
    const { status, body } = await app.ask(`/api/maps/search?q=cafe&${filter}`);
    expect(status).toBe(422);
    const { errors } = body as { errors: { parameter: string; message: string }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ parameter: "custom" });
    expect(errors[0]?.message).toContain(message);
  });

  test("come back whole from an export in each form", async () => {
    for (const format of ["native", "csv", "geojson"]) {
      const { stdout } = await runIndex(["export", "--format", format], own.env);
      const path = write(`exported.${format === "native" ? "jsonl" : format}`, stdout);
      const compared = await runIndex(["sync", path, "--dry-run", "--json", "--force"], own.env);
      expect(JSON.parse(compared.stdout)).toMatchObject({ read: 4, unchanged: 4 });
    }
  });

  test("are changed one by one, and filter by the new value", async () => {
    const edit = await runIndex(["edit", "3", "custom.floor=9", "custom.vegan=yes"], own.env);
    expect(edit).toMatchObject({ exitCode: 0 });
    await expect.poll(() => titlesOf(`nearby?${AT}&custom.floor>=9`)).toEqual(["Nắng"]);
    expect((await find(`nearby?${AT}&custom.floor=9&include=custom`))[0]?.custom).toEqual({
      floor: 9,
      vegan: true,
      roaster: "Hạt Do",
    });
  });
});

describe("validate refuses", () => {
  const head = "name,type,filter,searched\n";
  test.each([
    ["a field twice", `${head}floor,number,,\nfloor,text,,`, "fields.csv:3: name: floor is there already"],
    ["a name with blanks", `${head}my floor,number,,`, 'name: "my floor" is not written like opened_on'],
    ["an unknown type", `${head}floor,int,,`, 'type: "int" is none of text, list, number, boolean, date'],
    ["a searched number", `${head}floor,number,,yes`, "searched: a number is not searched"],
    ["a flag in other words", `${head}floor,number,maybe,`, 'filter: "maybe" is neither yes nor no'],
    [
      "more than 32 fields",
      head + Array.from({ length: 33 }, (_, at) => `f${at},text,,`).join("\n"),
      "more than 32",
    ],
  ])("%s", async (_, text, message) => {
    const path = write("fields.csv", text);
    const { exitCode, stderr } = await runIndex(
      ["validate", write("places.csv", PLACES), "--fields", path],
      own.env,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { useOwn } from "../../../src/meilisearch/stored-vocabulary.ts";
import { useKinds } from "../../../src/place/document/type-codes.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("own-kinds");
const write = (name: string, text: string): string => {
  const path = join(own.folder, name);
  writeFileSync(path, text);
  return path;
};

const KINDS = `code,parent,label vi,label en,words vi,words en,icon,colour
VOT_COFFEE,COFFEE,Cà phê vợt,Sock-filter coffee,cà phê kho; cà phê bít tất,sock coffee,☕,#7A4B2A
REPAIR_CAFE,,Quán sửa đồ,Repair café,sửa đồ miễn phí,,green,
`;

const PLACES = `id,name,type,lat,lng,phone
1,Cheo Leo,VOT_COFFEE,10.7690,106.6800,
2,Ba Lù,cà phê vợt,10.7691,106.6801,
3,Highlands,COFFEE,10.7692,106.6802,
4,Fix & Chat,REPAIR_CAFE,10.7693,106.6803,
5,Phở Hòa,PHO,10.7694,106.6804,
`;

const AT = "lat=10.769&lng=106.68";

interface Kind {
  readonly code: string;
  readonly [field: string]: unknown;
}

describe("kinds of one's own", () => {
  let app: TestApp;
  let index: PlaceIndex;

  beforeAll(async () => {
    const kinds = write("kinds.csv", KINDS);
    const imported = await runIndex(["import", write("places.csv", PLACES), "--kinds", kinds], own.env);
    if (imported.exitCode !== 0) throw new Error(imported.stderr);
    // A server is another process, and has them from the index alone.
    useKinds([]);
    index = openPlaceIndex(own.engines.index);
    const search = createPlaceSearch(index, { useOwn, deadlineMs: 10_000 });
    app = await startTestApp({ index, search });
    await search.prepared;
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await index?.close();
  });

  const titlesOf = async (query: string): Promise<string[]> => {
    const { local_result } = await app.read<{ local_result: { title: string }[] }>(`/api/maps/${query}`);
    return local_result.map(({ title }) => title).toSorted();
  };

  test.each(["cà phê vợt", "ca phe kho", "sock coffee", "Sock-filter coffee"])(
    "are found by their words: %s",
    async (q) => {
      const found = await titlesOf(`search?${AT}&limit=2&q=${encodeURIComponent(q)}`);
      expect(found).toEqual(["Ba Lù", "Cheo Leo"]);
    },
  );

  test("are values of category, also of the kind above them", async () => {
    expect(await titlesOf(`nearby?${AT}&category=VOT_COFFEE`)).toEqual(["Ba Lù", "Cheo Leo"]);
    expect(await titlesOf(`nearby?${AT}&category=coffee`)).toEqual(["Ba Lù", "Cheo Leo", "Highlands"]);
    expect((await app.ask(`/api/maps/nearby?${AT}&category=VOT_TEA`)).status).toBe(422);
  });

  test("are suggested", async () => {
    const { suggestions } = await app.read<{ suggestions: object[] }>(
      `/api/maps/autocomplete?${AT}&q=ca+phe+vo&include=queries`,
    );
    expect(suggestions).toContainEqual(
      expect.objectContaining({ type: "kind", value: "Cà phê vợt", category: "VOT_COFFEE" }),
    );
  });

  test("are listed with their labels, counts and icons, in the language of the request", async () => {
    const { kinds } = await app.read<{ kinds: Kind[] }>("/api/maps/kinds?lang=en");
    expect(kinds).toEqual([
      {
        code: "COFFEE",
        parent: null,
        label: "Coffee shop",
        places: 3,
        own_places: 1,
        icon: "drink",
        colour: null,
      },
      {
        code: "VOT_COFFEE",
        parent: "COFFEE",
        label: "Sock-filter coffee",
        places: 2,
        own_places: 2,
        icon: "☕",
        colour: "#7a4b2a",
      },
      expect.objectContaining({ code: "NOODLE_RESTAURANT", places: 1, own_places: 0 }),
      expect.objectContaining({ code: "PHO", parent: "NOODLE_RESTAURANT", icon: "food", own_places: 1 }),
      {
        code: "REPAIR_CAFE",
        parent: null,
        label: "Repair café",
        places: 1,
        own_places: 1,
        icon: "green",
        colour: null,
      },
      expect.objectContaining({ code: "RESTAURANT", places: 1, own_places: 0 }),
    ]);
    const vietnamese = await app.read<{ kinds: Kind[] }>("/api/maps/kinds?lang=vi");
    expect(vietnamese.kinds.find(({ code }) => code === "REPAIR_CAFE")).toMatchObject({
      label: "Quán sửa đồ",
    });
  });

  test("stay those of the index for changes and exports", async () => {
    const more = write(
      "more.jsonl",
      `${JSON.stringify({ title: "Phin Xưa", source: "more", source_id: "1", type: "VOT_COFFEE", location: { latitude: 10.7695, longitude: 106.6805 } })}\n`,
    );
    useKinds([]);
    expect(await runIndex(["apply", more], own.env)).toMatchObject({ exitCode: 0 });
    useKinds([]);
    const { stdout } = await runIndex(["export", "--type", "VOT_COFFEE"], own.env);
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(["VOT_COFFEE", "VOT_COFFEE", "VOT_COFFEE"]);
  });

  test("may be the --type of a sync, which an unknown kind ends before it writes", async () => {
    const untyped = write("untyped.csv", "id,name,lat,lng\n1,Xưa,10.7697,106.6807\n");
    const sync = (type: string) => {
      useKinds([]);
      return runIndex(["sync", untyped, "--source", "untyped", "--type", type, "--json"], own.env);
    };
    const wrong = await sync("VOT_KAFFEE");
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain("VOT_COFFEE");
    expect(wrong.stderr).toContain("Nothing was written.");
    expect(await sync("VOT_COFFEE")).toMatchObject({ exitCode: 0 });
    const { stdout } = await runIndex(["export", "--type", "VOT_COFFEE"], own.env);
    expect(stdout).toContain('"Xưa"');
  });

  test("leave with an import that does not bring them, and come back with a rollback", async () => {
    const path = write("places.csv", PLACES);
    expect(await runIndex(["import", path, "--force", "--max-rejects", "100"], own.env)).toMatchObject({
      exitCode: 0,
    });
    const category = `/api/maps/nearby?${AT}&category=VOT_COFFEE`;
    await expect
      .poll(
        async () => {
          await app.ask("/api/maps/search?q=a");
          return (await app.ask(category)).status;
        },
        { timeout: 10_000 },
      )
      .toBe(422);
    expect(await runIndex(["rollback"], own.env)).toMatchObject({ exitCode: 0 });
    useKinds([]);
    await expect
      .poll(
        async () => {
          await app.ask("/api/maps/search?q=a");
          return (await app.ask(category)).status;
        },
        { timeout: 10_000 },
      )
      .toBe(200);
  });
});

describe("validate refuses", () => {
  const head = "code,parent,label vi,label en,icon,colour\n";
  test.each([
    [
      "a kind of the project",
      `${head}COFFEE,,Quán,Café,,`,
      "kinds.csv:2: code: COFFEE is a kind of the project",
    ],
    ["a kind twice", `${head}A_B,,Một,,,\nA_B,,Hai,,,`, "kinds.csv:3: code: A_B is in"],
    ["an unknown parent", `${head}A_B,COFEE,Một,,,`, 'parent: "COFEE" is no kind; nearest: COFFEE'],
    ["a kind above itself", `${head}A_B,C_D,Một,,,\nC_D,A_B,Hai,,,`, "would be above itself"],
    ["a code with spaces", `${head}A B,,Một,,,`, 'kinds.csv:2: code: "A B" is not written like WINE_CAVE'],
    ["a kind without a label", `${head}A_B,,,Wine,,`, "kinds.csv:2: label vi: is empty"],
    ["an unknown icon", `${head}A_B,,Một,,beer,`, 'icon: "beer" is no emoji and none of drink, food'],
    ["a colour in words", `${head}A_B,,Một,,,red`, 'colour: "red" is not written like #7a4b2a'],
    [
      "an unknown column",
      "code,label vi,name\nA_B,Một,x",
      '"name" is no column. The columns are code, parent',
    ],
    ["a file that is not there", undefined, "could not be read"],
  ])("%s", async (_, text, message) => {
    const path = text === undefined ? join(own.folder, "none.csv") : write("kinds.csv", text);
    const { exitCode, stderr } = await runIndex(
      ["validate", write("places.csv", PLACES), "--kinds", path],
      own.env,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

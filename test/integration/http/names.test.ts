import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

interface Found {
  readonly title: string;
  readonly names?: object;
}

const AT = "lat=21.0288&lng=105.8489";
const NAMES = {
  vi: "Nhà thờ Lớn",
  en: "St. Joseph's Cathedral",
  ja: "ハノイ大教会",
  "zh-hant": "河內大教堂",
};
const ID = "0x1:0x7";

let app: TestApp;

beforeAll(async () => {
  const location = { latitude: 21.0288, longitude: 105.8489 };
  app = await startAppOver([
    buildPlace({ data_id: ID, title: "Nhà thờ Lớn Hà Nội", type: "CHURCH", names: NAMES, location }),
    buildPlace({ data_id: "0x1:0x8", title: "Cà phê Nhà Thờ", type: "COFFEE", location }),
  ]);
});

afterAll(() => app[Symbol.asyncDispose]());

const read = async (query: string, headers = {}): Promise<readonly Found[]> =>
  (await app.read<{ local_result: Found[] }>(`/api/maps/${query}`, { headers })).local_result;

test.each(["ハノイ大教会", "St. Joseph's Cathedral", "st joseph cathedral", "河內大教堂"])(
  "a place is found by its name in any language: %s",
  async (name) => {
    const [first] = await read(`search?${AT}&q=${encodeURIComponent(name)}`);
    expect(first).toMatchObject({ title: "Nhà thờ Lớn Hà Nội" });
    expect(first).not.toHaveProperty("names");
  },
);

test.each([
  ["ja", "ハノイ大教会"],
  ["ja-JP", "ハノイ大教会"],
  ["zh_Hant", "河內大教堂"],
  ["en", "St. Joseph's Cathedral"],
  ["ko", "Nhà thờ Lớn Hà Nội"],
])("with lang=%s it is titled %s", async (lang, title) => {
  const q = encodeURIComponent("nhà thờ lớn hà nội");
  expect((await read(`search?${AT}&q=${q}&lang=${lang}`))[0]?.title).toBe(title);
  expect((await read(`nearby?${AT}&category=CHURCH&lang=${lang}`))[0]?.title).toBe(title);
  const { place_result: place } = await app.read<{ place_result: Found }>(
    `/api/maps/place?data_id=${ID}&lang=${lang}`,
  );
  expect(place.title).toBe(title);
});

test("the language of a browser alone leaves the default name", async () => {
  const [first] = await read(`nearby?${AT}&category=CHURCH`, { "accept-language": "en" });
  expect(first?.title).toBe("Nhà thờ Lớn Hà Nội");
});

test("include=names returns all names, and none for a place without", async () => {
  const places = await read(`nearby?${AT}&include=names`);
  expect(
    places
      .map(({ names }) => names)
      .toSorted((one, other) => Object.keys(one!).length - Object.keys(other!).length),
  ).toEqual([{}, NAMES]);
  const { place_result: place } = await app.read<{ place_result: Found }>(
    `/api/maps/place?data_id=${ID}&include=names`,
  );
  expect(place.names).toEqual(NAMES);
});

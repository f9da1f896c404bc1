import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TYPE_CODES, type TypeCode } from "../../../../src/place/document/type-codes.ts";
import { createLexicon } from "../../../../src/search/lexicon.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import { readQueryWords } from "../../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";
import { toSummary } from "./summary.ts";

/** The kinds that all words of a query say. */
const kindsOf = (query: string, isRespelled: boolean) => {
  const { readings } = readQuery(query, loadVocabulary());
  return readings
    .filter(({ name, unread, landmark }) => name.joined === "" && unread.length === 0 && !landmark)
    .find(({ kinds, respelled }) => kinds.length > 0 && (respelled !== undefined) === isRespelled)
    ?.kinds.flatMap(({ codes }) => codes);
};
const typesOf = (query: string) => kindsOf(query, false);
const mistypedTypesOf = (query: string) => kindsOf(query, true);

test.each([
  ["Phở Hòa", ["pho", "hoa"], "phohoa"],
  ["congcaphe", ["congcaphe"], "congcaphe"],
  ["  12/3 Nguyễn   Huệ ", ["12", "3", "nguyen", "hue"], "123nguyenhue"],
  ["Pizza 4P's", ["pizza", "4ps"], "pizza4ps"],
  ["松屋 新宿", ["松屋", "新宿"], "松屋新宿"],
  ["🍜 !!", [], ""],
])("%j is read as the words %j", (text, words, joined) => {
  expect(readQueryWords(text)).toMatchObject({ words, joined });
});

test("the short form of a word may stand in a name with the name of an area", () => {
  const { readings } = readQuery("trường th yên hòa", loadVocabulary(), {
    near: { latitude: 21.03, longitude: 105.85 },
  });
  const names = readings.filter(({ area }) => area === undefined).map(({ name }) => name.joined);
  expect(names).toContain("truongtieuhocyenhoa");
});

test("marks count when any was typed", () => {
  expect(readQueryWords("pho hoa").markedWords).toStrictEqual([]);
  expect(readQueryWords("phở hoa").markedWords).toHaveLength(2);
});

describe("beside words with marks, a word without them", () => {
  test.each([
    ["duong Nguyễn Huệ", 'house none street "nguyen hue"'],
    ["so 40 duong Nguyễn Huệ", 'house 40 street "nguyen hue"'],
  ])("may be one of an address: %s", (text, reading) => {
    expect(toSummary(readQuery(text, loadVocabulary()).readings[0]!)).toBe(reading);
  });

  test.each(["quán canh cua Đồng Tháp", "phòng khám gan Hòa Bình"])("is no relation: %s", (text) => {
    const relations = readQuery(text, loadVocabulary()).readings.map(({ landmark }) => landmark?.relation);
    expect(relations).not.toContain("near");
  });
});

test.each(["chỗ nào gần mở cửa khuya bán phở", "quán nào gần 24/7 phở"])(
  '"gần" before a wish means the caller: %s',
  (text) => {
    expect(readQuery(text, loadVocabulary()).readings[0]).toMatchObject({ form: "kind", isNear: true });
  },
);

test("a kind that was typed stays a reading beside a word that only looks mistyped", () => {
  const lexicon = createLexicon({ inNames: { atm: 50, foreign: 4, cards: 3 }, inAddresses: {} });
  const { readings } = readQuery("atm that cakez foreign cards", loadVocabulary(), { lexicon });
  expect(readings.map(toSummary)).toContain('ATM [atm] unread "cakez foreign cards"');
});

test("an ordinary word of a sentence is no typo of a kind, which it is in a shorter text", () => {
  const lexicon = createLexicon({ inNames: { bank: 50 }, inAddresses: {} });
  const kindsIn = (text: string) =>
    readQuery(text, loadVocabulary(), { lexicon }).readings.flatMap(({ kinds }) =>
      kinds.map(({ codes }) => codes[0]),
    );
  expect(kindsIn("after ten hours on the bus my back is killing me")).not.toContain("BANK");
  expect(kindsIn("nearest bamk please")).toContain("BANK");
});

test("a function word of the language that a query speaks is no kind of the other", () => {
  const kindsIn = (text: string) =>
    readQuery(text, loadVocabulary()).readings.flatMap(({ kinds }) => kinds.map(({ codes }) => codes[0]));
  expect(kindsIn("my toddler is out of nappies and wipes")).not.toContain("NOODLE_RESTAURANT");
  expect(kindsIn("my quang gan day")).toContain("NOODLE_RESTAURANT");
});

test("one word of a sentence is no landmark, two may be", () => {
  const lexicon = createLexicon({ inNames: { kim: 90, lien: 40, xang: 30 }, inAddresses: {} });
  const landmarksIn = (text: string) =>
    readQuery(text, loadVocabulary(), { lexicon }).readings.flatMap(({ landmark }) => landmark?.joined ?? []);
  expect(landmarksIn("kim xăng chỉ vạch đỏ rồi")).not.toContain("kim");
  expect(landmarksIn("kim liên xăng còn bán không vậy")).toContain("kimlien");
});

test.each(["fix my phone", "phone fixed", "fix phones", "repair my phone", "phone repaired"])(
  "%s says the same as phone repair",
  (query) => {
    expect(typesOf(query)).toStrictEqual(typesOf("phone repair"));
  },
);

describe("a feature beside words that may be a name", () => {
  const inNames = { kids: 40, leaf: 30, yen: 90, tinh: 80, btl: 2, hoc: 60, bai: 70 };
  const lexicon = createLexicon({ inNames, inAddresses: {} });
  const read = (text: string) => readQuery(text, loadVocabulary(), { lexicon });

  test("may be a part of the name, which says more", () => {
    const { readings, light } = read("kids leaf");
    expect(
      readings.filter(({ wishes }) => wishes.features.length > 0).map(({ dropped }) => dropped),
    ).toContain(1);
    expect([...light]).not.toContain("kids");
  });

  test("is filler where no name has its words", () => {
    expect([...read("wifi leaf").light]).toContain("wifi");
  });
});

test("however long a text is, what is read of it is short and whole", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 256 }),
    fc.array(fc.constantFrom("ﷺ", "phở", "𠮷", "x", " "), { maxLength: 256 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const { words, joined, markedWords } = readQueryWords(text);
      expect(words.length).toBeLessThanOrEqual(16);
      expect(markedWords.length).toBeLessThanOrEqual(16);
      expect(Array.from(joined).length).toBeLessThanOrEqual(120);
      expect(joined).toBe(words.join(""));
      expect(joined.isWellFormed()).toBe(true);
      expect(words).not.toContain("");
    }),
  );
});

test("reading what was read changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
      const once = readQueryWords(text);
      expect(readQueryWords(once.words.join(" "))).toStrictEqual({ ...once, markedWords: [] });
    }),
  );
});

describe("a query that is the name of a type", () => {
  test.each<[string, TypeCode]>([
    ["cafe", "COFFEE"],
    ["Cà phê", "COFFEE"],
    ["ca phe", "COFFEE"],
    ["caphe", "COFFEE"],
    ["coffee", "COFFEE"],
    ["atm", "ATM"],
    ["ATM", "ATM"],
    ["nhà thuốc", "PHARMACY"],
    ["nha thuoc", "PHARMACY"],
    ["pharmacy", "PHARMACY"],
    ["phở", "PHO"],
    ["bi-a", "BILLIARDS"],
    ["bi a", "BILLIARDS"],
    ["bia", "BEER_GARDEN"],
  ])("%j means %s", (query, code) => {
    expect(typesOf(query)).toContain(code);
  });

  test("means the narrower types too, and not the broader", () => {
    expect(typesOf("nhà hàng")).toEqual(expect.arrayContaining(["RESTAURANT", "PHO"]));
    expect(typesOf("phở")).not.toContain("RESTAURANT");
  });

  test.each(["hương coffee", "cafe nguyen", "", "xyz", "toString", "constructor"])("is not %j", (query) => {
    expect(typesOf(query)).toBeUndefined();
  });

  test("every label of every type means that type", () => {
    for (const [code, { vi, en }] of Object.entries(TYPE_CODES).filter(([code]) => code !== "PLACE")) {
      expect(typesOf(vi)).toContain(code);
      expect(typesOf(en)).toContain(code);
    }
  });
});

describe("a type with a typo", () => {
  test.each<[string, TypeCode]>([
    ["pharmcy", "PHARMACY"],
    ["nha thuok", "PHARMACY"],
    ["restaurnat", "RESTAURANT"],
    ["bennh vien", "HOSPITAL"],
  ])("%j means %s", (query, code) => {
    expect(mistypedTypesOf(query)).toContain(code);
  });

  test.each(["atn", "bat", "cefe", "an", ""])("%j is too short to tell", (query) => {
    expect(mistypedTypesOf(query)).toBeUndefined();
  });

  test("of two letters is none", () => {
    expect(mistypedTypesOf("farmcy")).toBeUndefined();
  });
});

test("a short kind beside a narrower one asks for the same", () => {
  expect(typesOf("spa massage")).toStrictEqual(["MASSAGE"]);
  expect(typesOf("massage spa")).toStrictEqual(["MASSAGE"]);
  expect(typesOf("pho for breakfast")).toStrictEqual(["PHO"]);
});

describe("words that are a kind and a feature", () => {
  const readAll = (text: string): string[] => readQuery(text, loadVocabulary()).readings.map(toSummary);

  test.each([
    ["nhà hàng nhạc sống", "RESTAURANT [nha hang] has_live_music"],
    ["khách sạn hồ bơi", "HOTEL [khach san] has_pool"],
    ["có wifi chỗ đậu xe", "RESTAURANT [] has_wi_fi parking_availability"],
    ["có wifi máy lạnh", "RESTAURANT [] has_wi_fi has_air_conditioning"],
    ["live music restaurant", "RESTAURANT [restaurant] has_live_music"],
  ])("are the feature beside something else: %s", (text, reading) => {
    expect(readAll(text)).toContain(reading);
  });

  test.each([
    ["hồ bơi gần đây", "SWIMMING_POOL [ho boi] near"],
    ["hồ bơi cho trẻ em", "SWIMMING_POOL [ho boi] welcomes_children"],
    ["cheap parking", "PARKING [parking] cheap"],
    ["chỗ đậu xe gần chợ bến thành", 'PARKING [cho dau xe] by "cho ben thanh"'],
    ["khách sạn gần hồ bơi", 'HOTEL [khach san] by "ho boi"'],
  ])("are the kind alone, with a wish, near something, and as what to be near: %s", (text, reading) => {
    expect(readAll(text)).toContain(reading);
  });
});

describe("a kind behind “có” or “with”", () => {
  const first = (text: string): string => toSummary(readQuery(text, loadVocabulary()).readings[0]!);

  test.each([
    ["cây xăng có nhà vệ sinh", 'GAS_STATION [cay xang] unread "nha ve sinh"'],
    ["siêu thị gần đây có atm", 'SUPERMARKET [sieu thi] near unread "atm"'],
    ["hotel with spa", 'HOTEL [hotel] unread "spa"'],
    ["nhà hàng có karaoke", 'RESTAURANT [nha hang] unread "karaoke"'],
    [
      "trung tâm thương mại nào có rạp chiếu phim",
      'SHOPPING_MALL [trung tam thuong mai] unread "rap chieu phim"',
    ],
  ])("is what the places have: %s", (text, reading) => {
    expect(first(text)).toBe(reading);
  });

  test.each([
    ["nhà hàng có lẩu", "HOTPOT_RESTAURANT [lau]"],
    ["chợ tân định có atm", 'ATM [atm] by "cho tan dinh"'],
    ["gần bệnh viện có nhà thuốc", 'PHARMACY [nha thuoc] by "benh vien"'],
    ["siêu thị có atm nào", "ATM [atm] SUPERMARKET [sieu thi]"],
    ["quán có karaoke", "KARAOKE [karaoke]"],
  ])(
    "is what is asked for where it is narrower, there, before “nào”, or where the other says little: %s",
    (text, reading) => {
      expect(first(text)).toBe(reading);
    },
  );
});

describe("a question about a name", () => {
  const inNames = {
    the: 20,
    coffee: 40,
    house: 30,
    lazada: 1,
    ben: 9,
    thanh: 90,
    duc: 9,
    minh: 90,
    shop: 9,
    go: 2,
  };
  const lexicon = createLexicon({ inNames, inAddresses: {} });
  const heldIn = (text: string) =>
    readQuery(text, loadVocabulary(), { lexicon }).held.names.map(({ name }) => name.words.join(" "));

  test.each([
    ["bao xa tới Lazada", "lazada"],
    ["where is the coffee house", "the coffee house"],
    ["cho hoi dia chi lazada voi a", "lazada"],
    ["ai biết Lazada nằm khúc nào không", "lazada"],
    ["chi duong den ben thanhf", "ben thanh"],
    ["Chợ Bến Thành còn bán vải không, ở phố nào ấy nhỉ", "cho ben thanh"],
    ["Thanh Ben Đức, nộp đơn cho cháu trước 5 giờ, sợ không kịp quá", "thanh ben duc"],
  ])("%s may ask for it, whole", (text, name) => {
    expect(heldIn(text)).toContain(name);
  });

  test("has its core without the words around it", () => {
    const { held } = readQuery("chỉ đường đến lazzada giúp mình", loadVocabulary(), { lexicon });
    expect(held.core?.name.words).toStrictEqual(["lazzada"]);
  });

  test.each([
    ["the whole query may be a name", "duc minh"],
    ["it asks for a kind", "quán cà phê ở đâu"],
    ["its words are those of a chain", "shop go"],
    ["an area stands beside it", "lazada ha noi"],
    ["it is where to look", "ăn đêm gần chợ bến thành"],
    ["no place has one of its words", "chỉ đường đến zzyx"],
    [
      "the sentence needs another kind",
      "dắt cháu đi chợ bến thành, nó đòi mua truyện tranh, có chỗ nào bán sách",
    ],
  ])("is none where %s: %s", (_, text) => {
    expect(heldIn(text)).toStrictEqual([]);
  });

  test("leaves an abbreviated name apart, and no word of a question", () => {
    const words = readQuery("can you locate lazada", loadVocabulary(), {
      lexicon: createLexicon({ inNames: { ...inNames, lo: 3, ca: 3, te: 3 }, inAddresses: {} }),
    }).plain.name.words;
    expect(words).toContain("locate");
  });
});

test.each([
  ["pho near ben thanh market", 'PHO [pho] by "ben thanh market"'],
  // "nhất" also means the nearest.
  ["a cafe by thong nhat park", 'COFFEE [cafe] by "thong nhat park"'],
])("in English the kind of a landmark comes last: %s", (query, expected) => {
  expect(toSummary(readQuery(query, loadVocabulary()).readings[0]!)).toBe(expected);
});

describe("of the kinds that a sentence names", () => {
  const kindsIn = (text: string) =>
    readQuery(text, loadVocabulary())
      .readings.find(({ need, kinds }) => need === undefined && kinds.length > 0)
      ?.kinds.map(({ codes: [code] }) => code);

  test.each([
    ["mới bị giật điện thoại xong, công an phường gần nhất ở đâu", "POLICE"],
    ["I'm outside the opera house and want the nearest cash machine", "ATM"],
  ])("the one that it most likely needs comes first: %s", (text, code) => {
    expect(kindsIn(text)?.[0]).toBe(code);
  });

  test("those that it surely does not need are named in passing", () => {
    expect(kindsIn("áo dính cà phê tùm lum, mai phỏng vấn rồi, ai giặt ủi giùm")).toStrictEqual(["LAUNDRY"]);
  });

  test("two with “or” between them are both asked for", () => {
    const kinds = kindsIn("tìm luật sư hoặc phòng công chứng làm giấy ủy quyền");
    expect(kinds).toStrictEqual(expect.arrayContaining(["LAWYER", "NOTARY"]));
  });
});

test("a function word of the language in which a query is written is no kind of another language", () => {
  const kindsIn = (text: string) =>
    readQuery(text, loadVocabulary()).readings.flatMap(({ kinds }) => kinds.flatMap(({ codes }) => codes));
  expect(kindsIn("somewhere shady to read my book on a bench")).not.toContain("NOODLE_RESTAURANT");
  expect(kindsIn("quan my ngon")).toContain("NOODLE_RESTAURANT");
});

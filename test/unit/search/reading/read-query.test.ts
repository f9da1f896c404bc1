import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinWords, fold } from "../../../../src/place/text/fold.ts";
import type { Area } from "../../../../src/place/geometry/areas.ts";
import { NO_LEXICON, type Lexicon } from "../../../../src/search/lexicon.ts";
import { findAreas, readArea, type AreaSpan } from "../../../../src/search/reading/area-spans.ts";
import { readQuery } from "../../../../src/search/reading/read-query.ts";
import type { Reading } from "../../../../src/search/reading/reading.ts";
import { toTokens } from "../../../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";
import { EVERY_WORD_KNOWN, isRewriting, readPhrases, rewritePhrases, type Phrase } from "./phrases.ts";
import { toSummary } from "./summary.ts";

const vocabulary = loadVocabulary();
const CALLERS: Readonly<Record<string, { latitude: number; longitude: number }>> = {
  HN: { latitude: 21.03, longitude: 105.85 },
  SG: { latitude: 10.776, longitude: 106.7 },
};

const read = (text: string, caller = "SG", lexicon = EVERY_WORD_KNOWN) =>
  readQuery(text, vocabulary, { near: CALLERS[caller]!, lexicon });
const readAll = (...asked: Parameters<typeof read>): string[] => read(...asked).readings.map(toSummary);

/** The words that a reading may take for a name, with its area. */
const namesOf = (...asked: Parameters<typeof read>): string[] =>
  read(...asked).readings.flatMap(({ form, name, area }) =>
    form === "plain" || form === "name" ? [`${name.words.join(" ")} @${area?.name ?? ""}`] : [],
  );

describe("words may be a name all the same:", () => {
  test.each([
    [
      "those of a kind and a wish before an area",
      "Ca Phe Family quan long bien",
      "ca phe family @Quận Long Biên",
    ],
    [
      "those before a district and its city",
      "The Coffee House quận hoàn kiếm, hn",
      "the coffee house @Quận Hoàn Kiếm",
    ],
    ["a kind with generic words", "the coffee house gần đây", "the coffee house @"],
    ["the long form of an abbreviation", "nt long tâm gần đây", "nha thuoc long tam @"],
    ["one long form of several", "nh phố", "nha hang pho @"],
    ["another of them", "nh phố", "ngan hang pho @"],
    ["those beside an area", "WinMart quận cầu giấy", "winmart @Quận Cầu Giấy"],
    ["all of them", "bảo tàng hồ chí minh", "bao tang ho chi minh @"],
  ])("%s", (_, text, name) => {
    expect(namesOf(text, "HN")).toContain(name);
  });

  test("but not the long form of what stands at the end, nor a kind alone", () => {
    expect(namesOf("trường học th", "HN")).toStrictEqual(["truong hoc th @"]);
    expect(namesOf("thư viện tại hà nội", "HN")).toStrictEqual(["thu vien tai ha noi @"]);
  });
});

describe.each(["phrases.csv", "more-phrases.csv"])("what people type: %s", (name) => {
  const file = new URL(name, import.meta.url);
  const today = ({ caller, text }: Phrase): string => readAll(text, caller).join(" | ");
  if (isRewriting) rewritePhrases(file, today);

  test.each(readPhrases(file))("$caller: $text", (phrase) => {
    expect(today(phrase)).toBe(phrase.readings);
  });
});

describe("every query", () => {
  const word = fc.constantFrom(
    ..."quán cà phê quận 3 gần đây ngon rẻ 12/3 ngõ đường phố huế hà nội q1 24h open now near the chợ lớn bt".split(
      " ",
    ),
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(word, { maxLength: 12 }).map((parts) => parts.join(" ")),
  );

  test("keeps all its words as a name, or as the words of a kind, in one of at most thirteen readings", () => {
    fc.assert(
      fc.property(anyText, (query) => {
        const { readings } = read(query, "HN");
        expect(readings.length).toBeLessThanOrEqual(13);
        const typed = joinWords(fold(query));
        const said = readings.map(({ name, kinds }) =>
          name.joined === "" ? kinds[0]?.words.join("") : name.joined,
        );
        // Only the first 16 words and 120 letters are read.
        expect(said.some((one = "") => one === typed || (typed.length > 40 && typed.startsWith(one)))).toBe(
          true,
        );
      }),
    );
  });

  test("has each reading once, and likelier ones do not depend on how often it is read", () => {
    fc.assert(
      fc.property(anyText, (query) => {
        const all = readAll(query);
        expect(readAll(query)).toStrictEqual(all);
        const keys = read(query).readings.map((reading) => `${reading.form} ${toSummary(reading)}`);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  test("has no reading but the plain one when no word is understood", () => {
    expect(readAll("bitexco")).toEqual(['"bitexco"']);
    expect(readAll("")).toEqual([""]);
    expect(readAll("!?")).toEqual([""]);
  });

  test("is read without a caller and without a dataset too", () => {
    const { readings } = readQuery("cà phê quận 3", vocabulary);
    expect(readings.map(toSummary)).toContain("COFFEE [ca phe] @Quận 3");
  });
});

/** The first reading with a kind or a wish. */
const kindOf = (text: string, caller = "SG"): Reading | undefined =>
  read(text, caller).readings.find(({ kinds }) => kinds.length > 0);

describe("a landmark", () => {
  test.each([
    ["khách sạn gần chợ tân định", "cho tan dinh", "near"],
    ["khách sạn đối diện bệnh viện từ dũ", "benh vien tu du", "near"],
    ["hotel near notre dame cathedral", "notre dame cathedral", "near"],
    ["supermarket near ben thanh market", "ben thanh market", "near"],
    ["cây xăng trên đường nguyễn trãi", "nguyen trai", "in"],
    ["atm đường lê lợi", "le loi", "in"],
    ["chợ bà chiểu có cà phê không", "cho ba chieu", "has"],
    ["nha thuoc nguyen thi minh khai", "nguyen thi minh khai", "none"],
    ["nha thuoc gan chu van an", "chu van an", "near"],
    ["gần chợ bến thành: quán ăn chay", "cho ben thanh", "near"],
    ["mình xem chợ bến thành xong, quanh chợ có cà phê không", "cho ben thanh", "near"],
    ["ba nằm bệnh viện chợ rẫy, gần đó có chùa nào không", "benh vien cho ray", "near"],
  ])("is read in %s", (text, words, relation) => {
    const { landmark } = kindOf(text) ?? {};
    expect(landmark?.words.join(" ")).toBe(words);
    expect(landmark?.relation).toBe(relation);
  });

  test.each(["khách sạn gần đây", "cà phê quận 3", "phở 24", "quán ngon", "spa cho bầu", "cắt tóc nam 50k"])(
    "is none in %s",
    (text) => {
      expect(kindOf(text)?.landmark).toBeUndefined();
    },
  );

  test("knows whether a kind begins it, and so whether it may be a street", () => {
    expect(kindOf("cafe gần chợ tân định")?.landmark?.kinds).toMatchObject([{ words: ["cho"] }]);
    expect(kindOf("cafe gần lê lợi")?.landmark?.kinds).toStrictEqual([]);
  });
});

describe("behind a chain", () => {
  test.each([
    ["cgv vincom", '"cgv" by "vincom"'],
    ["lotteria nguyễn đình chiểu", '"lotteria" by "nguyen dinh chieu"'],
    ["circle k chợ bến thành", '"circle k" by "cho ben thanh"'],
    ["bách hóa xanh nguyễn trãi", '"bach hoa xanh" by "nguyen trai"'],
    ["starbucks bệnh viện ung bướu", '"starbucks" by "benh vien ung buou"'],
    ["starbucks bệnh viện chợ rẫy", '"starbucks" by "benh vien cho ray"'],
  ])("words may be where its branch is: %s", (text, reading) => {
    expect(readAll(text)).toContain(reading);
  });

  test("its kind says as much of the branches that have another name", () => {
    const names = read("cửa hàng vinmart").readings.map(({ name }) => name);
    expect(names.find(({ joined }) => joined === "winmart")?.typed).toContain("hang");
  });

  test("it is no landmark, and where the dataset lacks it, its kind is asked for in the street", () => {
    const readings = readAll("sushi tokyo deli nguyễn du", "SG", EVERY_WORD_KNOWN);
    expect(readings.filter((reading) => reading.includes('by "tokyo deli"'))).toStrictEqual([]);
    expect(readAll("gs25 nguyễn du", "SG", EVERY_WORD_KNOWN)).toEqual(
      expect.arrayContaining([
        'CONVENIENCE_STORE [gs25] by "nguyen du"',
        '"nguyen du" CONVENIENCE_STORE [gs25]',
      ]),
    );
    expect(readAll("long châu gần bệnh viện chợ rẫy")).toContain(
      'PHARMACY [long chau] by "benh vien cho ray"',
    );
  });

  test("its name may be that of a street: behind a number, or beside another kind", () => {
    expect(readAll("5 nguyễn kim")[0]).toBe('house 5 street "nguyen kim"');
    expect(readAll("nhà thuốc nguyễn kim")).toContain('PHARMACY [nha thuoc] by "nguyen kim"');
    expect(readAll("ngân hàng vietcombank")).not.toContain('BANK [ngan hang] by "vietcombank"');
  });

  test("with other marks than were typed it is none", () => {
    expect(readAll("phở thìn")).toContain("PHO [pho thin]");
    expect(readAll("phố thín")).not.toContain("PHO [pho thin]");
  });

  test("initials are the district, and no kind", () => {
    expect(readAll("winmart th", "HN")).toContain('"winmart" @Quận Tây Hồ');
  });

  test("a branch of any of its names lacks the words of a kind that is none of its own", () => {
    expect(readAll("winmart nhà thờ")).toContain('"vinmart" unread "nha tho"');
    expect(readAll("siêu thị winmart")).toContain('"vinmart"');
  });

  test("the words of its longer name, or those beside it, need not be there", () => {
    expect(readAll("trung nguyên legend")).toContain('"trung nguyen"');
    expect(readAll("gs25 nguyễn du", "SG", EVERY_WORD_KNOWN)).toContain('"gs25" unread "nguyen du"');
  });

  test("words that the dataset lacks, or a kind beside it, say no place", () => {
    const lexicon = {
      ...EVERY_WORD_KNOWN,
      inNames: (word: string) => (word === "vincom" ? 0 : 5),
      inAddresses: () => 0,
    };
    expect(readAll("cgv vincom", "SG", lexicon)).not.toContain('"cgv" by "vincom"');
    expect(readAll("rạp phim cgv vincom")).not.toContain('CINEMA [rap phim] "cgv" by "vincom"');
  });
});

test("a kind between a surname and more of a name belongs to the name", () => {
  expect(readAll("nguyễn đình chiểu")).toStrictEqual(['"nguyen dinh chieu"']);
  expect(readAll("bình minh đình chiểu").some((reading) => reading.startsWith("TEMPLE"))).toBe(true);
});

describe("words that say nothing", () => {
  test("are light, and need not be in a name", () => {
    const { light } = read("cho tôi tìm quán phở ngon gần đây");
    expect([...light]).toStrictEqual(expect.arrayContaining(["toi", "tim", "gan", "day"]));
    expect(light.has("quan") || light.has("pho")).toBe(false);
  });

  test("typed with marks are no syllables of a name, and without marks may be", () => {
    const landmarkOf = (text: string) => kindOf(text)?.landmark?.words.join(" ");
    expect(landmarkOf("quán ăn gần thái hà không")).toBe("thai ha");
    expect(landmarkOf("nha thuoc gan chu van an")).toBe("chu van an");
  });

  test("are those that no name has, in a dataset whose words are known", () => {
    const noName: Lexicon = { ...NO_LEXICON, inNames: () => 0 };
    expect(read("nha thuoc minh khai", "SG", noName).light).toContain("minh");
  });
});

describe("words that are not understood", () => {
  test("beside a kind need not be there", () => {
    const readings = read("spa cho bầu").readings.filter(({ unread }) => unread.length > 0);
    expect(readings[0]).toMatchObject({ form: "kind", unread: ["bau"] });
  });

  test.each(["cà phê", "cà phê gần đây", "cà phê quận 3", "khách sạn giá rẻ"])(
    "are none where each was: %s",
    (text) => {
      expect(read(text).readings.flatMap(({ unread }) => unread)).toStrictEqual([]);
    },
  );
});

describe("a kind alone", () => {
  test.each(["cà phê", "phở", "hair salon", "bun bo hue", "薬局"])(
    "is no name, which every other place of the kind has: %s",
    (text) => {
      expect(read(text).readings.map(({ form }) => form)).toStrictEqual(["kind"]);
    },
  );

  test.each(["pharmcy", "cà phê gần đây", "cà phê rẻ", "cộng cà phê"])(
    "with a typo, or beside other words, may be a name: %s",
    (text) => {
      expect(read(text).readings.some(({ form }) => form === "plain" || form === "name")).toBe(true);
    },
  );
});

test("a word for a kind from another language may be the beginning of a name too", () => {
  const noName = { ...EVERY_WORD_KNOWN, inNames: () => 0 };
  const { readings, plain } = read("ambulatorium", "SG", noName);
  expect(readings.map(({ form }) => form)).toStrictEqual(["kind", "plain"]);
  expect(readings).toContain(plain);
});

describe("a street", () => {
  test.each([
    ["HN", "Phố Phương Mai Phường Kim Liên", '"phuong mai" @Phường Kim Liên'],
    ["HN", "kim mã phường ngọc hà", '"kim ma" @Phường Ngọc Hà'],
    ["HN", "so nha 43 To Ngoc Van", 'house 43 street "to ngoc van"'],
    ["HN", "5 Xa Dan, Phuong Kim Lien", '@Phường Kim Liên house 5 street "xa dan"'],
    ["HN", "hang trong phuong hoan kiem", '"hang trong" @Phường Hoàn Kiếm'],
    ["SG", "đường d2 phường thạnh mỹ tây", '@Phường Thạnh Mỹ Tây house none street "d2"'],
  ])("in %s: %s", (caller, text, expected) => {
    expect(readAll(text, caller)).toContain(expected);
  });

  test("that a query says to be one is rather a street than a name with its words", () => {
    const { readings } = read("phố hàng bài phường cửa nam", "HN");
    const name = readings.find(({ form, name: { joined } }) => form === "name" && joined === "hangbai");
    expect(name?.dropped).toBe(1);
  });

  test("beside which a number stands has a house, and no place is called like the number", () => {
    expect(readAll("1 đường hàng dầu", "HN").filter((one) => one.startsWith('"1"'))).toStrictEqual([]);
  });
});

test("words that may be filler or part of a name count as left out where nothing says that it is a sentence", () => {
  const droppedIn = (text: string) =>
    read(text).readings.find(({ kinds, form }) => form === "kind" && kinds.length > 0)?.dropped;
  expect(droppedIn("huong hotel")).toBe(1);
  expect(droppedIn("hotel nào gần đây hướng biển vậy")).toBe(0);
});

test("joined words are taken apart where the dataset has them and not the word", () => {
  const lexicon: Lexicon = {
    ...NO_LEXICON,
    inNames: () => 0,
    inAddresses: () => 0,
    beginningIn: () => 0,
    takeApart: (letters) => (letters === "bvbachmai" ? ["bv", "bach", "mai"] : undefined),
  };
  expect(read("bvbachmai", "HN", lexicon).plain.name.words).toStrictEqual(["benh", "vien", "bach", "mai"]);
  expect(read("bvbachmai", "HN").plain.name.words).toStrictEqual(["bvbachmai"]);
  const inTwo: Lexicon = { ...lexicon, takeApart: () => ["to", "co"] };
  expect(namesOf("tocotoco", "HN", inTwo), "a chain").toContain("tocotoco @");
});

describe("marks", () => {
  test.each([
    ["phở", "PHO [pho]"],
    ["chợ gần đây", "MARKET [cho] near"],
    ["cho tôi chợ gần đây", "MARKET [cho] near"],
    ["nha thuoc", "PHARMACY [nha thuoc]"],
    ["nhà thuóc", "PHARMACY [nha thuoc]"],
  ])("%s is %s", (text, expected) => {
    expect(readAll(text)[0]).toBe(expected);
  });

  test.each([
    ["phố", "PHO"],
    ["bán", "BAR"],
    ["cho", "filler"],
    ["lăng", "LAKE"],
  ])("%s is no %s", (text, kind) => {
    expect(readAll(text).join()).not.toContain(kind === "filler" ? "near" : kind);
  });
});

test("a kind with a wish is a name only where its words stand together", () => {
  const asName = (text: string) => read(text).readings.find(({ form }) => form === "plain");
  expect(asName("nhà hàng 24/24")?.together).toMatchObject([{ words: "nha hang" }, { words: "24 24" }]);
});

test("words of a kind in a longer name stand together in the name or in an address", () => {
  const together = (text: string) =>
    read(text).readings.flatMap(({ form, together: kept }) => (form === "name" && kept ? kept : []));
  expect(together("đại sứ quán mỹ")).toMatchObject([{ words: "dai su quan", mayBeAddress: true }]);
  expect(together("spa mỹ"), "one word has no order").toStrictEqual([]);
});

test("of words for places of every kind and another kind, the other kind is asked for", () => {
  const kinds =
    read("quán ăn trưa văn phòng quận 3").readings.find(({ form }) => form === "kind")?.kinds ?? [];
  expect(kinds[0]?.words).toStrictEqual(["an", "trua"]);
});

test("words without marks name a kind rather than another kind's product", () => {
  const codesOf = (text: string) => read(text).readings[0]?.kinds[0]?.codes;
  expect(codesOf("com chay")).toStrictEqual(["VEGETARIAN_RESTAURANT"]);
  expect(codesOf("cơm cháy")?.[0]).toBe("RICE_RESTAURANT");
});

test("the kind that is a name may be the type of the place instead", () => {
  const [kind] =
    read("truong hoc lien trung", "HN").readings.find(({ form }) => form === "plain")?.together ?? [];
  expect(kind?.words).toBe("truong hoc");
  expect(kind?.codes).toContain("PRIMARY_SCHOOL");
});

test('the bare name of a ward may be the name beside a kind, unless a word such as "ở" says where', () => {
  const besideKinds = (text: string): string[] =>
    read(text, "HN").readings.flatMap(({ form, name }) => (form === "kind" ? name.words.join(" ") : []));
  expect(besideKinds("quan ca phe trung hoa gan nhat")).toContain("trung hoa");
  expect(besideKinds("quan ca phe o trung hoa gan nhat")).not.toContain("trung hoa");
});

test("a name is read without the landmark that it is said to be near, too", () => {
  const named = read("winmart gần keangnam", "HN").readings.filter(({ name }) => name.joined === "winmart");
  expect(named.map(({ landmark, unread }) => [landmark?.joined, unread])).toStrictEqual([
    ["keangnam", []],
    [undefined, ["keangnam"]],
  ]);
});

describe("a landmark", () => {
  const landmarkOf = (text: string, lexicon?: Lexicon) =>
    read(text, "HN", lexicon).readings.find(({ landmark }) => landmark)?.landmark;

  test('stands behind "ở gần"', () => {
    expect(landmarkOf("quán nước ở gần viện 108")).toMatchObject({ joined: "vien108", relation: "near" });
    expect(landmarkOf("quán nước ở gần")).toBeUndefined();
  });

  test.each([
    ["khách sạn gần sân bay", "AIRPORT"],
    ["ks gia re gan san bay", "AIRPORT"],
    ["atm gan benh vien", "HOSPITAL"],
    ["vietcombank gần bệnh viện", "HOSPITAL"],
    ["hotel near the airport", "AIRPORT"],
  ])("is the nearest of a kind where no name says which: %s", (text, code) => {
    expect(landmarkOf(text)?.kinds?.flatMap(({ codes }) => codes)).toContain(code);
  });

  test.each([
    "tiệm rửa xe gần tui nhất là tiệm nào",
    "xung quanh có công viên nào đi dạo được không",
    "gần đây có bệnh viện nào không",
  ])("is not the kind that is asked for: %s", (text) => {
    expect(landmarkOf(text)).toBeUndefined();
  });

  test("has a name that may begin with the word of a kind", () => {
    const landmark = landmarkOf("khach san gan ben xe mien dong");
    expect(landmark).toMatchObject({ joined: "benxemiendong", relation: "near" });
    expect(landmark?.beside.words, "the kind is ben xe").toStrictEqual(["mien", "dong"]);
  });
});

test('the kind before "nào" comes first', () => {
  const kinds = (text: string): string[] => read(text).readings[0]!.kinds.map(({ codes }) => codes[0]!);
  expect(kinds("mua thuốc ở siêu thị nào gần đây")[0]).toBe("SUPERMARKET");
  expect(kinds("mua thuốc ở siêu thị")[0]).toBe("PHARMACY");
});

describe("an area", () => {
  test.each([
    ["q1", "@Quận 1"],
    ["q.1", "@Quận 1"],
    ["quan 1", "@Quận 1"],
    ["d1", "@Quận 1"],
    ["district 1", "@Quận 1"],
    ["p.bến nghé", "@Phường Bến Nghé"],
    ["p bến nghé q1", "@Phường Bến Nghé < Quận 1"],
    ["q gò vấp", "@Quận Gò Vấp"],
    ["qgv", "@Quận Gò Vấp"],
    ["tphcm", "@Thành phố Hồ Chí Minh"],
    ["tp. hcm", "@Thành phố Hồ Chí Minh"],
    ["saigon", "@Thành phố Hồ Chí Minh"],
    ["hanoi", "@Thành phố Hà Nội"],
    ["quận 9", "@Quận 9"],
  ])("%s is %s", (text, area) => {
    expect(readAll(text)[0]).toBe(area);
  });

  test("is found by its words alone, the caller's own city first", () => {
    const namesOf = (text: string, caller: string): string[] =>
      findAreas(toTokens(text), vocabulary, CALLERS[caller]).map(({ id }) => id);
    expect(namesOf("hoàn kiếm", "HN").length).toBeGreaterThan(0);
    expect(namesOf("tân bình", "SG")[0]).toMatch(/^d/);
    expect(namesOf("cà phê", "SG")).toEqual([]);
  });

  test("is found by initials in the caller's own city only, and by none that are a syllable", () => {
    expect(readAll("hot toc nam han mac tu").join()).not.toContain("@");
    expect(readAll("cafe bt", "SG")[0]).toBe("COFFEE [cafe] @Quận Bình Thạnh");
    expect(readAll("cafe hbt", "HN")[0]).toBe("COFFEE [cafe] @Quận Hai Bà Trưng");
    expect(readAll("cafe hbt", "SG").join()).not.toContain("@");
    expect(readAll("cafe hbt", "SG")).toContain('"cafe hbt"');
  });

  test("lies in the one beside it by law before one that only lies within its bounds", () => {
    const area = (id: string, level: Area["level"], parent?: string, latitude = 10.5): Area => ({
      id,
      level,
      valid: id === "within" ? "new" : "old",
      name: id,
      centre: { latitude, longitude: 106.5 },
      bounds: { south: 10, west: 106, north: level === "ward" ? 10.6 : 11, east: 107 },
      ...(parent !== undefined && { parent }),
    });
    const span = (start: number, ...areas: Area[]): AreaSpan => ({
      start,
      end: start + 1,
      areas,
      certainty: "marked",
    });
    const district = span(1, area("district", "district"));
    const [within, belonging] = [area("within", "ward"), area("belonging", "ward", "district", 12)];
    const idOf = (...wards: Area[]) =>
      readArea([span(0, ...wards), district], toTokens("p4 q3"))?.areas[0]?.id;
    expect(idOf(within, belonging)).toBe("belonging");
    expect(idOf(area("outside", "ward", "other", 12), within)).toBe("within");
  });

  test("is the ward of the district that stands beside it", () => {
    const wardOf = (text: string): string | undefined =>
      readQuery(text, vocabulary, { near: CALLERS["SG"]! }).readings[0]?.area?.areas[0]?.parent;
    expect(wardOf("p4 q3")).not.toBe(wardOf("p4 q5"));
  });
});

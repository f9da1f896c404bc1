import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTextQuality, WHOLE_NAME } from "../../../src/search/match.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { buildCandidate } from "../../support/memory-index.ts";

interface Named {
  readonly title: string;
  readonly alternate_names?: string[];
  readonly address?: string;
  readonly type?: string;
}

function readQuality(query: string, { title, alternate_names = [], address = "", type = "PLACE" }: Named) {
  const place = buildCandidate({ title, alternate_names, type, location: { address: { full: address } } });
  return readTextQuality(readQueryWords(query), place);
}

const qualityOf = (query: string, title: string): number => readQuality(query, { title }).quality;

describe("the whole name", () => {
  test.each([
    ["Phở Hòa", "Phở Hòa"],
    ["pho hoa", "Phở Hòa"],
    ["phohoa", "Phở Hòa"],
    ["PHO  HOA!", "Phở Hòa"],
    ["pizza 4ps", "Pizza 4P's"],
  ])("%j is that of %j", (query, title) => {
    expect(readQuality(query, { title })).toMatchObject({ isWholeName: true, isComplete: true });
    expect(qualityOf(query, title)).toBeGreaterThanOrEqual(WHOLE_NAME);
  });

  test("may be any of the names", () => {
    const place = { title: "Bệnh viện Chợ Rẫy", alternate_names: ["Cho Ray Hospital", "BVCR"] };
    expect(readQuality("bvcr", place).isWholeName).toBe(true);
    expect(readQuality("cho ray", place).isWholeName).toBe(false);
  });

  test("is better than anything that is not", () => {
    const anyTitle = fc.constantFrom(
      "Phở Hòa",
      "Cộng Cà Phê",
      "Bún Bò Huế 47",
      "Highlands Coffee Nguyễn Huệ",
    );
    fc.assert(
      fc.property(anyTitle, fc.string({ unit: "grapheme-ascii", maxLength: 30 }), (title, query) => {
        const { quality, isWholeName } = readQuality(query, { title });
        expect(quality < WHOLE_NAME).toBe(!isWholeName);
      }),
    );
  });
});

/** The first of each row answers the query better than the second. */
describe("one name matches better than another", () => {
  test.each([
    ["pho hoa", "Phở Hòa", "Phở Hòa Pasteur"],
    ["pho hoa", "Phở Hòa Pasteur", "Phở Lệ"],
    ["pho hoa", "Phở Hòa Pasteur", "Phở Hòe Nhai"],
    ["highlands cofee", "Highlands Coffee", "Highway Coffin"],
    ["congcaphe", "Cộng Cà Phê", "Công Cà Phê Sách"],
    ["cong cap", "Cộng Cà Phê", "Cổng Chào"],
    ["ben thanh market", "Ben Thanh Market", "Ben Thanh Tower"],
    ["hue bo bun", "Bún Bò Huế", "Bún Chả Huế"],
    ["đường sách", "Đường Sách", "Dương Sách"],
    ["phở 24", "Phở 24", "Phố 24"],
    ["nguyen hue", "Phố đi bộ Nguyễn Huệ", "Nguyễn Hữu Huân"],
  ])("for %j %j comes before %j", (query, better, worse) => {
    expect(qualityOf(query, better)).toBeGreaterThan(qualityOf(query, worse));
  });

  test("a typo costs more than marks do", () => {
    expect(qualityOf("phở hòa", "Pho Hoa")).toBeGreaterThan(qualityOf("phở hòa", "Phở Hòe"));
  });

  test("without typed marks the marks of a name do not count", () => {
    expect(qualityOf("duong sach", "Đường Sách")).toBe(qualityOf("duong sach", "Dương Sách"));
  });
});

describe("words that are not of the name", () => {
  const place: Named = {
    title: "Highlands Coffee",
    address: "12 Nguyễn Huệ, Quận 1",
    type: "COFFEE",
  };

  test("may be of the address or the kind of place", () => {
    const withStreet = readQuality("highlands nguyen hue", place);
    expect(withStreet.quality).toBeGreaterThan(readQuality("highlands le loi", place).quality);
    expect(readQuality("12 nguyen hue", place).quality).toBeGreaterThan(0.5);
    expect(readQuality("highlands cafe", place).quality).toBeGreaterThan(
      readQuality("highlands xyz", place).quality,
    );
  });

  test("that match nothing cost their share, in any order", () => {
    expect(readQuality("xyzzy highlands coffee", place).quality).toBeCloseTo(
      readQuality("highlands coffee xyzzy", place).quality,
      1,
    );
    expect(readQuality("xyzzy highlands coffee", place).isComplete).toBe(false);
  });
});

describe("what is half typed", () => {
  test("is complete while it begins a word of the name", () => {
    for (const query of ["h", "high", "highlands c", "highlands coff"]) {
      expect(readQuality(query, { title: "Highlands Coffee" }).isComplete).toBe(true);
    }
    expect(readQuality("highlinds", { title: "Highlands Coffee" }).isComplete).toBe(false);
  });

  test("may stand behind a word that comes later in the name", () => {
    expect(readQuality("coffee highl", { title: "Highlands Coffee" }).isComplete).toBe(true);
    expect(readQuality("highl coffee", { title: "Highlands Coffee" }).isComplete).toBe(false);
  });

  test("is better the more of the name is there", () => {
    const qualities = ["hi", "highl", "highlands", "highlands co", "highlands coffee"].map((query) =>
      qualityOf(query, "Highlands Coffee"),
    );
    expect(qualities).toStrictEqual(qualities.toSorted((a, b) => a - b));
  });
});

test("marks without letters do not match other marks", () => {
  const { quality } = readTextQuality(readQueryWords("῭"), buildCandidate({ title: "῁" }));
  expect(quality).toBe(0);
});

test("any text has a quality from 0 to that of the whole name with its marks", () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(anyText, anyText, (query, title) => {
      const { quality } = readQuality(query, { title: title === "" ? "x" : title });
      expect(quality).toBeGreaterThanOrEqual(0);
      expect(quality).toBeLessThanOrEqual(WHOLE_NAME + 0.05);
    }),
  );
});

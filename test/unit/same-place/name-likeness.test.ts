import { describe, expect, test } from "vitest";
import {
  coreWords,
  haveOtherNumbers,
  likenessOf,
  numberWords,
  type ComparedName,
} from "../../../src/same-place/name-likeness.ts";
import { fold, joinWords, words } from "../../../src/place/text/fold.ts";

interface Named {
  readonly otherNames?: readonly string[];
  readonly street?: string;
  readonly type?: string;
}

/** A name as the merge compares it. */
function named(title: string, { otherNames = [], street = "", type = "PLACE" }: Named = {}): ComparedName {
  const folded = fold(title);
  return {
    title,
    name: joinWords(folded),
    otherNames: otherNames.map((name) => joinWords(fold(name))),
    core: coreWords(folded, type),
    numbers: numberWords(folded),
    streetWords: words(fold(street)),
  };
}

const likeness = (one: ComparedName, other: ComparedName) => likenessOf(one, other, "line");

describe("names are equal", () => {
  test.each<[string, ComparedName, ComparedName]>([
    ["with the same accents", named("Phở Hòa"), named("PHỞ  HÒA")],
    ["except for case, accents and spaces", named("Phở Hòa"), named("PHO  HOA")],
    ["if another name of the one is", named("Chợ Lớn", { otherNames: ["Bình Tây"] }), named("Bình Tây")],
    ["if another name of the other is", named("Bình Tây"), named("Chợ Lớn", { otherNames: ["Bình Tây"] })],
    ["if only one has accents", named("Phở Hà"), named("Pho Ha")],
  ])("%s", (_, one, other) => {
    expect(likeness(one, other)).toBe("equal");
    expect(likenessOf(one, other, "unrelated"), "for any types").toBe("equal");
  });

  test("but only similar if both have accents, and other ones", () => {
    expect(likeness(named("Phở Hà"), named("Phở Hạ"))).toBe("similar");
    expect(likeness(named("Phở Hà"), named("Phơ Ha"))).toBe("similar");
  });

  test("another name that is equal counts, whatever accents the titles have", () => {
    expect(likeness(named("Phở Hà", { otherNames: ["Cơm Bà Hạ"] }), named("Cơm Ba Hạ"))).toBe("equal");
  });

  test("names without letters are equal to none", () => {
    expect(likeness(named("!"), named("?"))).toBeUndefined();
    expect(likeness(named("!"), named("Phở", { otherNames: ["!"] }))).toBeUndefined();
    expect(likeness(named("Phở", { otherNames: ["!"] }), named("!"))).toBeUndefined();
  });
});

describe("unequal names of places of one kind", () => {
  const cafe = (title: string, more: Named = {}) => named(title, { type: "COFFEE", ...more });

  test("agree in their own words, in any order", () => {
    expect(likeness(cafe("Cà Phê Bến Thuyền"), cafe("Bến Thuyền Coffee"))).toBe("core");
    expect(likeness(cafe("Thuyền Bến"), cafe("Cửa hàng Bến Thuyền"))).toBe("core");
  });

  test("say nothing for places of other kinds", () => {
    expect(likenessOf(cafe("Cà Phê Bến Thuyền"), cafe("Bến Thuyền Coffee"), "unrelated")).toBeUndefined();
  });

  test("may be one name with more words, unless they name a part or only the street", () => {
    expect(likeness(cafe("Bến Thuyền"), cafe("Bến Thuyền Sài Gòn"))).toBe("contained");
    expect(likeness(cafe("Bến Thuyền Sài Gòn"), cafe("Bến Thuyền"))).toBe("contained");
    expect(likeness(cafe("Bến Thuyền"), cafe("Bãi xe Bến Thuyền"))).toBeUndefined();
    expect(likeness(cafe("Cổng Bến Thuyền"), cafe("Cổng Bến Thuyền Một")), "both say the part").toBe(
      "contained",
    );
    const onStreet = { street: "12 Bến Thuyền" };
    expect(likeness(cafe("Bến Thuyền"), cafe("An Khang Bến Thuyền", onStreet))).toBeUndefined();
    expect(likeness(cafe("Bến Thuyền", onStreet), cafe("An Khang Bến Thuyền"))).toBeUndefined();
    const onOther = { street: "12 Bến Nghé" };
    expect(likeness(cafe("Bến Thuyền", onOther), cafe("An Khang Bến Thuyền")), "a word of the street").toBe(
      "contained",
    );
  });

  test("are not compared when little is left of one", () => {
    expect(likeness(cafe("Cà Phê 24"), cafe("24 Hoa Lan"))).toBeUndefined();
    expect(likeness(cafe("Quán Lan"), cafe("Tiệm Lan"))).toBeUndefined();
    expect(likeness(cafe("Quán Liên"), cafe("Tiệm Liên"))).toBe("core");
  });

  test("may differ by a typo in ten letters", () => {
    expect(likeness(cafe("Highlands"), cafe("Highlanda")), "nine letters").toBeUndefined();
    expect(likeness(cafe("Trung Nguyên"), cafe("Trung Nguyin"))).toBe("similar");
    expect(likeness(cafe("Trung Nguyên"), cafe("Trang Nguyin")), "two typos").toBeUndefined();
    expect(likeness(cafe("Trung Nguyên Legendary"), cafe("Trang Nguyin Legendary")), "twenty letters").toBe(
      "similar",
    );
  });

  test("must have the same numbers, but for those of the address", () => {
    expect(likeness(cafe("Bến Thuyền 2"), cafe("Bến Thuyền"))).toBeUndefined();
    expect(likeness(cafe("Bến Thuyền II"), cafe("Bến Thuyền III"))).toBeUndefined();
    expect(likeness(cafe("Bến Thuyền 12", { street: "12 Lê Lợi" }), cafe("Bến Thuyền"))).toBe("contained");
  });
});

test("two names have other numbers if both have some of their own", () => {
  const other = (one: ComparedName, two: ComparedName) => haveOtherNumbers(one, two);
  expect(other(named("Cơ sở 1"), named("Cơ sở 2"))).toBe(true);
  expect(other(named("Cơ sở 1"), named("Cơ sở 1"))).toBe(false);
  expect(other(named("Cơ sở 1 tầng 2"), named("Tầng 2 cơ sở 1")), "in another order").toBe(false);
  expect(other(named("Cơ sở 1"), named("Cơ sở"))).toBe(false);
  expect(other(named("Cơ sở"), named("Cơ sở 1"))).toBe(false);
  expect(other(named("Phở 13", { street: "13 Lò Đúc" }), named("Phở 15"))).toBe(false);
  expect(other(named("Phở 15"), named("Phở 13", { street: "13 Lò Đúc" }))).toBe(false);
  expect(other(named("Khu II"), named("Khu IV")), "Roman ones").toBe(true);
  expect(other(named("Khu I"), named("Khu V")), "a letter is no number").toBe(false);
});

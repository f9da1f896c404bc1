import { describe, expect, test } from "vitest";
import {
  CALLER,
  type JudgedPlace,
  formatSentenceMisses,
  isRightPlace,
  judgeSentence,
  parseSentences,
  partOf,
  sharesOf,
} from "../../../tools/eval/sentences.ts";

const line = (rule: string, anchor = "", id = "s1"): string =>
  [
    "id\tset\tquery\trule\tanchor\tradius_km\toriginal",
    `${id}\tnear\tphở gần đây\t${rule}\t${anchor}\t2.5\tx`,
  ].join("\n");
const sentence = (rule: string, anchor = "") => parseSentences(line(rule, anchor))[0]!;

/** A thousandth of a degree is 111 m. */
const place = (title: string, type: string, thousandths = 0): JudgedPlace => ({
  title,
  type,
  location: { ...CALLER, latitude: CALLER.latitude + thousandths / 1000 },
});

const judge = (rule: string, ...places: readonly JudgedPlace[]) =>
  judgeSentence(sentence(rule), places, CALLER);

describe("a file of sentences", () => {
  test("has columns for the rule, the anchor and the radius; the heading and comments are skipped", () => {
    expect(parseSentences(`# source\n${line("=pho", "10.5,106.5")}\n\n`)).toEqual([
      {
        id: "s1",
        set: "near",
        query: "phở gần đây",
        rule: /pho/,
        isOnePlace: true,
        anchor: { latitude: 10.5, longitude: 106.5 },
        radiusMeters: 2_500,
      },
    ]);
  });

  test.each([
    ["s1\tnear\tphở", /Line 1/],
    ["\ns1\tnear\tphở\tpho\there\t2", /Line 2/],
    ["s1\tnear\tphở\tpho\t\tfar", /Line 1/],
  ])("says which line of %j is wrong", (text, told) => {
    expect(() => parseSentences(text)).toThrow(told);
  });
});

describe("a sentence", () => {
  const pho = place("Phở Thìn", "PHO");

  test("is right with two of three places by the type or by the title without marks", () => {
    expect(judge("^PHO$|\\bpho\\b", pho, place("Quán PHỞ 24", "EATERY"), place("Mộc", "COFFEE"))).toBe(
      "right",
    );
    expect(judge("^PHO$", pho, place("Mộc", "COFFEE"), place("Lam", "COFFEE"), pho)).toBe("partly");
  });

  test("that names one place is right with one", () => {
    expect(judge("=pho thin", place("Mộc", "COFFEE"), pho)).toBe("right");
  });

  test("is partly right with the right places elsewhere", () => {
    const far = place("Phở Hòa", "PHO", 30);
    expect(judge("^PHO$", far, far)).toBe("partly");
    expect(judgeSentence(sentence("^PHO$", "10.8069,106.7009"), [far, far], CALLER)).toBe("right");
  });

  test.each([
    ["of its type", place("Hòa", "PHO"), true],
    ["of its title", place("Quán Phở Đêm", "PLACE"), true],
    ["of neither", place("Bún Bò", "EATERY"), false],
    ["too far away", place("Hòa", "PHO", 30), false],
    ["that is a bus stop", place("Phở Hòa", "BUS_STOP"), false],
  ])("takes a place %s: %#", (_, found, isRight) => {
    expect(isRightPlace(sentence("^PHO$|\\bpho\\b"), found, CALLER)).toBe(isRight);
  });

  test("is wrong with other places, and empty without any", () => {
    expect(judge("^PHO$", place("Mộc", "COFFEE"))).toBe("wrong");
    expect(judge("^PHO$")).toBe("empty");
  });

  test("is not answered by bus stops that are named after places, unless it names one", () => {
    const stop = place("Trạm Chợ Bến Thành", "BUS_STOP");
    expect(judge("cho ben thanh", stop, stop)).toBe("wrong");
    expect(judge("=cho ben thanh", stop)).toBe("right");
  });

  test("reads D with stroke and slashes as people type them", () => {
    expect(judge("=^dai hoc 12/3$", place("Đại học – 12/3", "UNIVERSITY"))).toBe("right");
  });
});

describe("the shares", () => {
  const judged = Array.from({ length: 40 }, (_, number) => ({
    sentence: { ...sentence("^PHO$"), id: `s${number}`, set: number < 10 ? "near" : "wish" },
    places: [place("Mộc", "COFFEE")],
    verdict: number < 5 ? ("right" as const) : ("wrong" as const),
  }));

  test("are told for each set, for all and for both halves", () => {
    const shares = sharesOf(judged);
    expect(shares.map(({ set }) => set)).toEqual(["near", "wish", "all", "all, tuning", "all, held aside"]);
    expect(shares[0]).toMatchObject({ sentences: 10, right: 0.5, wrong: 0.5, partly: 0, empty: 0 });
    const [tuning, aside] = shares.slice(3);
    expect(tuning!.sentences + aside!.sentences).toBe(40);
    expect(Math.min(tuning!.sentences, aside!.sentences)).toBeGreaterThan(10);
  });

  test("come with misses of the tuning half only", () => {
    const told = formatSentenceMisses(judged, 100, CALLER);
    for (const one of judged.filter(({ verdict }) => verdict !== "right"))
      expect(told.includes(`wrong ${one.sentence.id} `)).toBe(partOf(one) === "tuning");
  });
});

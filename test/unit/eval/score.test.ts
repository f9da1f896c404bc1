import { describe, expect, test } from "vitest";
import type { Expected, Kind } from "../../../tools/eval/cases.ts";
import { createDataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import { scoreAnswer } from "../../../tools/eval/score.ts";
import { buildPlace } from "../../support/build-place.ts";

const CENTRE = { latitude: 21, longitude: 105 };

const place = (title: string, thousandths: number, type = "COFFEE") =>
  buildPlace({ title, type, location: { ...CENTRE, latitude: 21 + thousandths / 1000 } });

const [near, named, far, bank, inFull] = [
  place("Cộng Cà Phê", 2),
  place("Cộng Cà Phê Tràng Tiền", 1),
  place("Cộng Cà Phê", 9),
  place("Vietcombank", 1, "BANK"),
  place("Ngân hàng Vietcombank", 2, "BANK"),
] as const;
const dataset = createDataset([near, named, far, bank, inFull].map(toTruePlace));

const score = (kind: Kind, expected: Expected, answer: readonly { data_id: string }[]) =>
  scoreAnswer(
    { kind, query: "any", centre: CENTRE, expected },
    answer.map(({ data_id }) => data_id),
    dataset,
  );

describe("an answer", () => {
  test("has the rank of the first right place", () => {
    expect(score("exact", { dataIds: [near.data_id] }, [far, near]).rank).toBe(2);
    expect(score("exact", { dataIds: [near.data_id] }, [far]).rank).toBeUndefined();
  });

  test("for a category is the share of ten, even with fewer results", () => {
    const { rank, share, meters } = score("category", { dataIds: [], types: ["COFFEE"] }, [bank, near]);
    expect({ rank, share }).toEqual({ rank: 2, share: 0.1 });
    expect(meters).toBeCloseTo(167, 0);
  });

  test("for a chain may begin with a nearer branch that names its street", () => {
    const chain: Expected = {
      dataIds: [near.data_id],
      name: "cong ca phe",
      isChain: true,
      nearestFive: [near.data_id, far.data_id],
    };
    expect(score("chain", chain, [named, near, far])).toMatchObject({ rank: 1, share: 1 });
    expect(score("chain", chain, [far, near])).toMatchObject({ rank: 2, share: 1 });
  });

  test.each<Kind>(["exact", "no-marks", "typo-1", "joined", "swapped", "word-missing", "first-60"])(
    "for a name (%s) may be a nearer place whose title goes on after it, at a word",
    (kind) => {
      const expected = { dataIds: [near.data_id], name: "cong ca phe" };
      expect(score(kind, expected, [named, near]).rank).toBe(1);
      expect(score(kind, expected, [bank, near]).rank).toBe(2);
      expect(score(kind, { ...expected, name: "cong ca ph" }, [named, near]).rank).toBe(2);
      expect(score(kind, { dataIds: [named.data_id], name: "cong" }, [near, named]).rank).toBe(2);
    },
  );

  test("for a name that begins with a kind may be a nearer place of it without the word", () => {
    const expected = { dataIds: [inFull.data_id], name: "ngan hang vietcombank" };
    expect(score("no-marks", expected, [bank, inFull]).rank).toBe(1);
    expect(score("no-marks", { ...expected, name: "ngan hang vietcom" }, [bank, inFull]).rank).toBe(2);
    expect(score("no-marks", { ...expected, name: "tap hoa vietcombank" }, [bank, inFull]).rank).toBe(2);
  });

  test("for a name of few places must have that name", () => {
    const expected = { dataIds: [near.data_id, far.data_id], name: "cong ca phe", typed: 4 };
    expect(score("autocomplete", expected, [named, far])).toMatchObject({ rank: 2 });
    expect(score("autocomplete", { ...expected, isChain: true }, [named, far])).toMatchObject({ rank: 1 });
  });
});

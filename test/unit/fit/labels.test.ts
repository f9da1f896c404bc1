import { describe, expect, test } from "vitest";
import type { EvalCase } from "../../../tools/eval/cases.ts";
import { createDataset, type Dataset, toTruePlace } from "../../../tools/eval/dataset.ts";
import {
  chainsWithBranches,
  labelsBeside,
  labelsOf,
  labelsOfChain,
  type Label,
} from "../../../tools/fit/labels.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";

const CENTRE = { latitude: 10.777, longitude: 106.7 };
const METERS_PER_DEGREE = 111_195;

/** A place so many metres north of the caller. */
const at = (title: string, meters: number, facts: PlaceFacts = {}) =>
  toTruePlace(
    buildPlace({
      title,
      ...facts,
      location: { latitude: CENTRE.latitude + meters / METERS_PER_DEGREE, longitude: CENTRE.longitude },
    }),
  );

const asked = (dataset: Dataset, facts: Partial<EvalCase>, right: string): EvalCase => ({
  kind: "exact",
  query: right,
  centre: CENTRE,
  ...facts,
  expected: {
    dataIds: dataset.places.filter(({ title }) => title === right).map(({ dataId }) => dataId),
    name: right.toLowerCase(),
    ...facts.expected,
  },
});

/** The label of each title. */
const labelled = (
  dataset: Dataset,
  label: (place: Dataset["places"][number]) => Label,
): Record<string, Label> => Object.fromEntries(dataset.places.map((place) => [place.title, label(place)]));

describe("the labels of places found", () => {
  test("of a name: its nearest place, and nearer ones that go on after it", () => {
    const dataset = createDataset([
      at("Minh Tam", 500),
      at("Minh Tam Hai", 300),
      at("Minh Tam Ba", 900),
      at("Minh Tamarind", 200),
      at("Lan Anh", 100),
    ]);
    expect(labelled(dataset, labelsOf(asked(dataset, {}, "Minh Tam"), dataset))).toEqual({
      "Minh Tam": "right",
      "Minh Tam Hai": "right",
      "Minh Tam Ba": "wrong",
      // Nearer, and its name begins with what was typed too.
      "Minh Tamarind": undefined,
      "Lan Anh": "wrong",
    });
  });

  test("of a name that lacks a word: nothing is said of a nearer name that begins so", () => {
    const dataset = createDataset([
      at("Minh Tam Hoa", 500),
      at("Tam Hoa Quan", 300),
      at("Tam Hoa Vien", 900),
    ]);
    const label = labelsOf(
      asked(dataset, { kind: "word-missing", query: "tam hoa" }, "Minh Tam Hoa"),
      dataset,
    );
    expect(labelled(dataset, label)).toEqual({
      "Minh Tam Hoa": "right",
      "Tam Hoa Quan": undefined,
      "Tam Hoa Vien": "wrong",
    });
  });

  test("of a category: its ten nearest, none of another kind, and nothing of those whose names say it", () => {
    const dataset = createDataset([
      ...Array.from({ length: 10 }, (_, number) =>
        at(`Long Châu ${number}`, 100 * (number + 1), { type: "PHARMACY" }),
      ),
      at("Xa", 1_500, { type: "PHARMACY" }),
      at("Rất xa", 2_500, { type: "PHARMACY" }),
      at("Lan Anh", 50, { type: "HOTEL" }),
      at("Nhà thuốc Lan Anh", 50, { type: "HOTEL" }),
    ]);
    const label = labelsOf(
      asked(dataset, { kind: "category", expected: { dataIds: [], types: ["PHARMACY"] } }, "-"),
      dataset,
    );
    const labels = labelled(dataset, label);
    expect(labels).toMatchObject({ "Long Châu 9": "right", "Rất xa": "wrong", "Lan Anh": "wrong" });
    expect([labels["Xa"], labels["Nhà thuốc Lan Anh"]]).toEqual([undefined, undefined]);
  });

  test("of a chain: its nearest branch, with or without more in its name", () => {
    const dataset = createDataset([
      at("Kim Mixu", 900),
      at("Kim Mixu Pasteur", 300),
      at("Kim Mixu Lê Lợi", 600),
      at("Khác", 100),
    ]);
    const chains = chainsWithBranches(dataset);
    expect(chains.map(({ title }) => title)).toEqual(["kim mixu"]);
    expect(labelled(dataset, labelsOfChain(chains[0]!, CENTRE))).toEqual({
      "Kim Mixu": "wrong",
      "Kim Mixu Pasteur": "right",
      "Kim Mixu Lê Lợi": "wrong",
      Khác: "wrong",
    });
  });

  test.each<[string, string[]]>([
    ["words of a kind", ["Khách sạn", "Khách sạn Lan", "Khách sạn Mai"]],
    ["names of which none ends there", ["Trần Hưng Đạo", "Trần Hưng Nhượng", "Trần Hưng Quán"]],
    ["fewer than three branches", ["Kim Mixu", "Kim Mixu Pasteur"]],
  ])("%s are no chain", (_, titles) => {
    expect(chainsWithBranches(createDataset(titles.map((title) => at(title, 100))))).toEqual([]);
  });

  test("beside a landmark: the kind within reach of it, wherever the caller is", () => {
    const [landmark, beside, far, other] = [
      at("Chợ Bến Thành", 5_000),
      at("Beside", 5_300, { type: "PHARMACY" }),
      at("Near the caller", 100, { type: "PHARMACY" }),
      at("Other", 5_100, { type: "HOTEL" }),
    ] as const;
    const label = labelsBeside(landmark, { type: "PHARMACY", inNames: [] });
    expect([landmark, beside, far, other].map(label)).toEqual([undefined, "right", "wrong", "wrong"]);
  });
});

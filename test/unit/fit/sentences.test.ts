import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { judgeSentence, readSentences, type Sentence } from "../../fit/sentences.ts";

const folder = mkdtempSync(join(tmpdir(), "sentences-"));
afterEach(() => rmSync(join(folder, "some.tsv"), { force: true }));

function read(...lines: readonly string[]): Sentence[] {
  const file = join(folder, "some.tsv");
  writeFileSync(file, `id\tset\tquery\trule\tanchor\tradius_km\n# a remark\n${lines.join("\n")}\n`);
  return readSentences(file);
}

const CALLER = { latitude: 10.7769, longitude: 106.7009 };
const place = (title: string, type: string, location = CALLER) => ({ title, type, location });

describe("a sentence", () => {
  const [phở] = read("s1\tvi\tphở gần đây\t^PHO|\\bpho\\b\t\t2");

  test.each([
    ["of its type", place("Hòa", "PHO"), "right"],
    ["of its title without marks", place("Quán Phở Đêm", "PLACE"), "right"],
    ["of neither", place("Bún Bò", "EATERY"), "wrong"],
    ["too far away", place("Hòa", "PHO", { ...CALLER, latitude: 10.8 }), "wrong"],
    ["that is a bus stop", place("Phở Hòa", "BUS_STOP"), "wrong"],
  ])("finds a place %s %o: %s", (_, found, label) => {
    expect(judgeSentence(phở!, found)).toBe(label);
  });

  test("that names one place takes a bus stop, and is measured from its anchor", () => {
    const [one] = read("s2\tvi\tbến Hòa\t=\\bhoa\\b\t10.8,106.7\t0.5");
    expect(one).toMatchObject({ isOnePlace: true });
    expect(judgeSentence(one!, place("Bến Hòa", "BUS_STOP", { latitude: 10.801, longitude: 106.7 }))).toBe(
      "right",
    );
    expect(judgeSentence(one!, place("Bến Hòa", "BUS_STOP"))).toBe("wrong");
  });

  test("that lacks a column is named in the error", () => {
    expect(() => read("s3\tvi\tphở")).toThrow("s3\tvi\tphở");
    rmSync(folder, { recursive: true });
  });
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findFiles } from "../../../../indexer/sources/open-sources.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-find-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

mkdirSync(at("north/deep"), { recursive: true });
mkdirSync(at("empty"));
for (const name of ["b.jsonl", "a.jsonl", "c.csv", "odd[1].jsonl", "north/2.jsonl", "north/deep/1.jsonl"])
  writeFileSync(at(name), "x");
symlinkSync(at("c.csv"), at("north/link"));
symlinkSync(folder, at("north/loop"));
symlinkSync(at("nowhere"), at("north/broken"));

async function find(...paths: string[]) {
  const files = await findFiles(paths.map((path) => (path === "-" ? path : at(path))));
  return files.map(({ path, isNamed }) => `${path.replace(`${folder}/`, "")}${isNamed ? "" : " ?"}`);
}

describe("findFiles", () => {
  test.each(["*.xml", "south/**", "no-such-[a-z]"])(
    "a glob without a match is an error: %s",
    async (glob) => {
      await expect(find(glob)).rejects.toThrow(`${at(glob)} matches no file`);
    },
  );

  test.each([
    ["a file", ["a.jsonl"], ["a.jsonl"]],
    ["a file that is not there, for the opening to tell", ["z.jsonl"], ["z.jsonl"]],
    ["a file whose name looks like a glob", ["odd[1].jsonl"], ["odd[1].jsonl"]],
    ["the standard input", ["-", "a.jsonl"], ["-", "a.jsonl"]],
    ["a glob, in the order of the names", ["?.jsonl"], ["a.jsonl", "b.jsonl"]],
    ["a glob of several folders", ["**/[0-9].jsonl"], ["north/2.jsonl", "north/deep/1.jsonl"]],
    ["a glob with a choice", ["{c,b}.{csv,jsonl}"], ["b.jsonl", "c.csv"]],
    [
      "a folder and those in it, in the order of the names, with links to files and not to folders",
      ["north"],
      ["north/2.jsonl ?", "north/deep/1.jsonl ?", "north/link ?"],
    ],
    ["an empty folder", ["empty"], []],
    ["a glob that matches a folder", ["nor*/dee*"], ["north/deep/1.jsonl ?"]],
    ["a file that is named twice", ["b.jsonl", "a.jsonl", "*.jsonl"], ["b.jsonl", "a.jsonl", "odd[1].jsonl"]],
    [
      "a file that is named besides its folder",
      ["north", "north/2.jsonl"],
      ["north/2.jsonl", "north/deep/1.jsonl ?", "north/link ?"],
    ],
  ])("finds %s", async (_, paths, expected) => {
    expect(await find(...paths)).toEqual(expected);
  });
});

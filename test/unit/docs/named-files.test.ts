import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listDocuments } from "../../support/documented-commands.ts";

/** The documents that guide a newcomer through the tree. */
const GUIDES = ["CONTRIBUTING.md", "docs/architecture.md"];

/** Folders and files of the repository, as a guide names them in code: `src/http/app.ts`, `indexer/demo`. */
const NAMED = /`((?:src|indexer|test|docs|script|\.ci)(?:\/[\w.-]+)+)`/g;

const namesIn = (text: string): string[] => [...text.matchAll(NAMED)].map(([, path = ""]) => path);

describe("the files and folders in a guide exist", () => {
  test.each(GUIDES)("in %s", (file) => {
    const named = namesIn(readFileSync(file, "utf8"));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("every source file in a document exists", () => {
  test.each(listDocuments())("%s", (file) => {
    const sources = namesIn(readFileSync(file, "utf8")).filter((path) => /\.(?:ts|json|csv)$/.test(path));
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test("the layout in docs/architecture.md lists every folder of src", () => {
  const layout = readFileSync("docs/architecture.md", "utf8").split("## Layout")[1] ?? "";
  const folders = readdirSync("src", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  expect(folders.filter((folder) => !layout.includes(`\`${folder}\``))).toEqual([]);
});

/** Constants that CONTRIBUTING.md names together with their file. */
test.each([
  ["WEIGHTS", "src/search/score.ts"],
  ["MAX_AGE_SECONDS", "src/http/routes/search.ts"],
])("%s is in %s, as CONTRIBUTING.md says", (name, file) => {
  expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(`\`${name}\``);
  expect(readFileSync(file, "utf8")).toContain(`const ${name}`);
});

import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../src/docs/render-markdown.ts";
import { listDocuments } from "../../support/documented-commands.ts";

const documents = listDocuments();

const read = (file: string): string => readFileSync(file, "utf8");

/** Links and pictures of a document that lead into the repository. Code is no link. */
function linksOf(file: string): string[] {
  const text = read(file)
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  const hrefs = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
  return hrefs.filter((href) => !/^(?:https?|mailto):/.test(href));
}

/** The file that a link leads to, from the root. */
const targetOf = (file: string, href: string): string => {
  const [path = ""] = href.split("#", 1);
  return path === "" ? file : posix.join(posix.dirname(file), path);
};

const hasAnchor = (file: string, anchor: string): boolean =>
  !file.endsWith(".md") || renderMarkdown(read(file), () => undefined).html.includes(` id="${anchor}"`);

function isBroken(file: string, href: string): boolean {
  const target = targetOf(file, href);
  const anchor = href.split("#")[1];
  return !existsSync(target) || (anchor !== undefined && !hasAnchor(target, anchor));
}

describe("the links of", () => {
  test.each(documents)("%s point to existing files and headings", (file) => {
    expect(linksOf(file).filter((href) => isBroken(file, href))).toEqual([]);
  });
});

test("every page is linked from README.md, directly or not", () => {
  const reached = new Set(["README.md"]);
  for (const file of reached) {
    if (!file.endsWith(".md")) continue;
    for (const href of linksOf(file)) {
      const target = targetOf(file, href);
      if (documents.includes(target)) reached.add(target);
    }
  }
  expect(documents.filter((file) => !reached.has(file))).toEqual([]);
});

test("docs/README.md lists every page", () => {
  const listed = linksOf("docs/README.md").map((href) => targetOf("docs/README.md", href));
  const pages = documents.filter((file) => /^docs\/(?:guide\/)?[\w-]+\.md$/.test(file));
  expect(pages.filter((file) => file !== "docs/README.md" && !listed.includes(file))).toEqual([]);
});

import { posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createLinkResolver,
  groupPages,
  NAVIGATION,
  toPagePath,
  type PageSource,
} from "../../../src/docs/pages.ts";
import { readPages } from "../../../src/docs/site.ts";
import { renderMarkdown, toAnchor } from "../../../src/docs/render-markdown.ts";
import { PARAMETER_PROBLEMS, PROBLEMS } from "../../../src/errors.ts";

let pages: PageSource[];
beforeAll(async () => {
  pages = await readPages();
});

const render = (file: string, markdown: string) =>
  renderMarkdown(markdown, createLinkResolver(file, new Set(pages.map((page) => page.file))));

const htmlOf = (name: string): string => {
  const page = pages.find(({ file }) => toPagePath(file) === `/docs/${name}`);
  if (page === undefined) throw new Error(`${name} is no page`);
  return render(page.file, page.markdown).html;
};

const anchorsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

describe("links", () => {
  test.each([
    ["errors.md", "/docs/errors"],
    ["errors.md#limits", "/docs/errors#limits"],
    ["guide/limits.md", "/docs/limits"],
    ["#include", "#include"],
    ["https://example.org/x", "https://example.org/x"],
    ["../src/app.ts", undefined],
    ["decisions/README.md", undefined],
  ])("from docs/api.md to %s leads to %s", (href, expected) => {
    const files = new Set(["docs/errors.md", "docs/guide/limits.md"]);
    expect(createLinkResolver("docs/api.md", files)(href)).toBe(expected);
  });
});

test("every page has a path, a title and an entry in the navigation", () => {
  const addresses = pages.map(({ file }) => toPagePath(file));
  expect(new Set(addresses).size).toBe(pages.length);
  expect(pages.filter(({ markdown }) => !markdown.startsWith("# "))).toEqual([]);
  expect(groupPages(pages).flatMap((group) => group.pages)).toHaveLength(pages.length);
  const names = pages.map(({ file }) => posix.basename(file, ".md"));
  expect(names).toEqual(expect.arrayContaining(NAVIGATION.flatMap((group) => group.pages)));
});

test("the page about errors has every code with its status at the anchor of its problem type", () => {
  const html = htmlOf("errors");
  for (const [code, { status }] of Object.entries(PROBLEMS))
    expect(html).toContain(`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>`);
  expect(anchorsOf(html)).toEqual(expect.arrayContaining(Object.keys(PARAMETER_PROBLEMS)));
});

test.each(["quick-start", "ranking", "opening-hours", "limits", "data-format", "production"])(
  "%s has anchors of its own, each once",
  (name) => {
    const anchors = anchorsOf(htmlOf(name));
    expect(anchors.length).toBeGreaterThan(2);
    expect(new Set(anchors).size).toBe(anchors.length);
  },
);

test.each([
  ["Run it", "run-it"],
  ["Data format, version 1", "data-format-version-1"],
  ["Codes in `errors`", "codes-in-errors"],
  ["The same place twice", "the-same-place-twice"],
  ["Đường Lê Lợi?", "đường-lê-lợi"],
])("the anchor of %s is %s, as in the repository", (heading, anchor) => {
  expect(toAnchor(heading.replaceAll("`", ""))).toBe(anchor);
  expect(render("docs/api.md", `# T\n\n## ${heading}\n`).headings[1]?.id).toBe(anchor);
});

test("equal headings have different anchors", () => {
  const { headings } = render("docs/api.md", "# A\n\n## Same\n\n## Same\n");
  expect(headings.map(({ id }) => id)).toEqual(["a", "same", "same-1"]);
});

test("HTML in code is escaped", () => {
  const { html } = render("docs/api.md", '# A\n\n`<b>` and\n\n```html\n<script src="x"></script>\n```\n');
  expect(html).toContain("<code>&lt;b&gt;</code>");
  expect(html).toContain("&lt;script src=&quot;x&quot;&gt;");
  expect(html).not.toContain("<script");
});

import { readFileSync } from "node:fs";
import { groupPages, readTitle, toPagePath, type PageSource } from "./pages.ts";
import { escapeHtml, type RenderedPage } from "./render-markdown.ts";

/** The same mark as on the map. */
const MARK = readFileSync(new URL("../playground/icon.svg", import.meta.url), "utf8").replace(
  "<svg",
  '<svg width="30" height="30" aria-hidden="true"',
);

interface Shell {
  readonly title: string;
  readonly body: string;
  /** URLs of scripts, in order. */
  readonly scripts: readonly string[];
  readonly current: "reference" | "guide";
}

/**
 * The frame of every page. It has no inline scripts or styles, so that the security policy can forbid them.
 */
export const buildShell = ({ title, body, scripts, current }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Hereabouts</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/docs.css">
${scripts.map((address) => `<script defer src="${address}"></script>`).join("\n")}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">${MARK}Hereabouts</a>
<nav aria-label="Site">
<a href="/">Map</a>
<a href="/docs"${current === "reference" ? ' aria-current="true"' : ""}>Reference</a>
<a href="/docs/quick-start"${current === "guide" ? ' aria-current="true"' : ""}>Guide</a>
</nav>
</header>
${body}
</body>
</html>
`;

/** A page of the guide: all pages on the left, its sections on the right. */
export function buildGuidePage(page: PageSource, rendered: RenderedPage, all: readonly PageSource[]): string {
  const body = `<div class="columns">
${buildNavigation(page, all)}
<main id="content">
${rendered.html}
</main>
${buildContents(rendered)}
</div>`;
  const title = readTitle(page);
  return buildShell({ title, body, scripts: ["/docs/assets/docs.js"], current: "guide" });
}

function buildNavigation(current: PageSource, all: readonly PageSource[]): string {
  const groups = groupPages(all).map(({ title, pages }) => ({
    title,
    links: pages.map((page) => ({
      href: toPagePath(page.file),
      text: readTitle(page),
      isCurrent: page === current,
    })),
  }));
  return buildSideList({ name: "Guide", summary: "All pages", groups });
}

interface SideList {
  /** For screen readers. */
  readonly name: string;
  /** What opens it on a phone. */
  readonly summary: string;
  readonly groups: readonly { readonly title: string; readonly links: readonly SideLink[] }[];
}

interface SideLink {
  readonly href: string;
  readonly text: string;
  readonly isCurrent?: boolean;
}

/** The links on the left; collapsed on a phone, without a script. */
export function buildSideList({ name, summary, groups }: SideList): string {
  const lists = groups.map(
    ({ title, links }) => `<h2>${title}</h2>\n<ul>\n${links.map(toEntry).join("\n")}\n</ul>`,
  );
  const list = `<nav aria-label="${name}">\n${lists.join("\n")}\n</nav>`;
  return `<aside class="pages" aria-label="${name}">
<details><summary>${summary}</summary>
${list}
</details>
<div class="wide">
${list}
</div>
</aside>`;
}

const toEntry = ({ href, text, isCurrent = false }: SideLink): string =>
  `<li><a href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a></li>`;

/** Pages with fewer sections need no table of contents. */
const MIN_SECTIONS = 2;

function buildContents({ headings }: RenderedPage): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < MIN_SECTIONS) return "";
  const entries = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${entries.join("\n")}\n</ul></nav>`;
}

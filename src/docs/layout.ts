import { groupPages, readTitle, toPagePath, type PageSource } from "./pages.ts";
import { escapeHtml, type RenderedPage } from "./render-markdown.ts";

interface Shell {
  readonly title: string;
  readonly body: string;
  /** Addresses of scripts, in order. */
  readonly scripts: readonly string[];
  readonly current: "reference" | "guide";
}

/** The frame of every page: nothing in it is inline, so that the security policy can forbid what is. */
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
${current === "guide" ? '<a class="skip ours" href="#content">Skip to the content</a>' : ""}
<header class="bar">
<a class="brand" href="/">Hereabouts</a>
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

/** A page of the guide: all pages at its left, its own sections at its right. */
export function buildGuidePage(page: PageSource, rendered: RenderedPage, all: readonly PageSource[]): string {
  const body = `<div class="columns ours">
${buildNavigation(page, all)}
<main id="content">
${rendered.html}
</main>
${buildContents(rendered)}
</div>`;
  const title = readTitle(page);
  return buildShell({ title, body, scripts: ["/docs/assets/docs.js"], current: "guide" });
}

/** On a phone it is folded away; it needs no script for that. */
function buildNavigation(current: PageSource, all: readonly PageSource[]): string {
  const groups = groupPages(all).map(
    ({ title, pages }) =>
      `<h2>${title}</h2>\n<ul>\n${pages.map((page) => toEntry(page, page === current)).join("\n")}\n</ul>`,
  );
  const list = `<nav aria-label="Guide">\n${groups.join("\n")}\n</nav>`;
  return `<aside class="pages">
<details><summary>All pages</summary>
${list}
</details>
<div class="wide">
${list}
</div>
</aside>`;
}

const toEntry = (page: PageSource, isCurrent: boolean): string =>
  `<li><a href="${toPagePath(page.file)}"${isCurrent ? ' aria-current="page"' : ""}>${escapeHtml(readTitle(page))}</a></li>`;

/** Pages with fewer sections can be seen at a glance. */
const MIN_SECTIONS = 2;

function buildContents({ headings }: RenderedPage): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < MIN_SECTIONS) return "";
  const entries = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${entries.join("\n")}\n</ul></nav>`;
}

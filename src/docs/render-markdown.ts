import { Marked, type Tokens } from "marked";

interface Heading {
  readonly depth: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** The target of a Markdown link on the site; undefined if it has none there. */
export type ResolveLink = (href: string) => string | undefined;

/** The anchor of a heading, as on GitHub, so that links work in the repository and on the site. */
export const toAnchor = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Renders a Markdown file of the repository, which is trusted, to HTML. */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): RenderedPage {
  const headings: Heading[] = [];
  const ids = new Set<string>();
  const claim = (wanted: string): string => {
    let id = wanted;
    for (let copy = 1; ids.has(id); copy++) id = `${wanted}-${copy}`;
    ids.add(id);
    return id;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = text.replaceAll(/[`*]|\]\([^()]*\)|\[/g, "");
        const id = claim(toAnchor(plain));
        headings.push({ depth, id, text: plain });
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} ${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = resolveLink(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code class="language-${escapeHtml(lang ?? "text")}">${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const toCells = (cells: Tokens.TableCell[], tag: string) =>
          cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const head = header.some(({ text }) => text !== "")
          ? `<thead><tr>${toCells(header, "th")}</tr></thead>`
          : "";
        const body = rows.map((row) => `<tr${toRowId(row, ids)}>${toCells(row, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

/** Gives a table row about one code or field its name as anchor: `/docs/errors#unknown_place`. */
function toRowId([first]: readonly Tokens.TableCell[], ids: Set<string>): string {
  const name = /^`([a-z][\w-]*)`$/.exec(first?.text ?? "")?.[1];
  if (name === undefined || ids.has(name)) return "";
  ids.add(name);
  return ` id="${name}"`;
}

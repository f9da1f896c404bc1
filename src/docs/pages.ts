import { posix } from "node:path";

/** A page of the guide: a Markdown file of the repository. */
export interface PageSource {
  /** From the root of the repository, such as `docs/guide/quick-start.md`. */
  readonly file: string;
  readonly markdown: string;
}

interface NavigationGroup {
  readonly title: string;
  /** Names of pages: the file without its folder and extension. */
  readonly pages: readonly string[];
}

/** The navigation, in reading order. A page in no group is listed under "More". */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: "Use the API",
    pages: [
      "quick-start",
      "examples",
      "api",
      "client",
      "components",
      "mcp",
      "migrating",
      "opening-hours",
      "understanding",
      "ranking",
      "errors",
      "limits",
    ],
  },
  {
    title: "Load places",
    pages: [
      "spreadsheet",
      "data-format",
      "sources",
      "overture-and-foursquare",
      "areas-and-words",
      "indexing",
      "writing",
      "matching",
      "indexing-checks",
    ],
  },
  {
    title: "Run it",
    pages: [
      "production",
      "kubernetes",
      "scaling",
      "keys",
      "map-tiles",
      "monitoring",
      "threats",
      "architecture",
      "relevance",
      "figures",
      "soak",
    ],
  },
];

/** The path of a page, or of a file to download; it does not contain the folder. */
export const toPagePath = (file: string): string => `/docs/${posix.basename(file, ".md")}`;

/** The first heading of a page. */
export const readTitle = ({ file, markdown }: PageSource): string => /^# (.+)$/m.exec(markdown)?.[1] ?? file;

/** The pages in their groups, without empty groups. */
export function groupPages<Page extends PageSource>(
  pages: readonly Page[],
): { title: string; pages: Page[] }[] {
  const byName = new Map(pages.map((page) => [posix.basename(page.file, ".md"), page]));
  const named = new Set(NAVIGATION.flatMap((group) => group.pages));
  const groups = NAVIGATION.map((group) => ({
    title: group.title,
    pages: group.pages.flatMap((name) => byName.get(name) ?? []),
  }));
  const others = [...byName].filter(([name]) => !named.has(name)).map(([, page]) => page);
  return [...groups, { title: "More", pages: others }].filter((group) => group.pages.length > 0);
}

/**
 * Turns links between Markdown files into links between pages. Undefined for files that are not pages (code,
 * decisions).
 */
export function createLinkResolver(
  file: string,
  files: ReadonlySet<string>,
): (href: string) => string | undefined {
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    const [path = "", fragment] = href.split("#", 2);
    const target = posix.join(posix.dirname(file), path);
    if (!files.has(target)) return undefined;
    return fragment === undefined ? toPagePath(target) : `${toPagePath(target)}#${fragment}`;
  };
}

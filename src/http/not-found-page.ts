import { createHash } from "node:crypto";
import type { PageLanguage } from "../place/document/localized-texts.ts";

/** The page for people who follow a wrong link. Programs get a problem body. It repeats nothing of the request. */

const TEXTS = {
  vi: {
    title: "Không tìm thấy trang",
    text: "Có thể liên kết đã cũ hoặc địa chỉ bị gõ nhầm.",
    map: "Mở bản đồ",
    docs: "Xem tài liệu API",
  },
  en: {
    title: "Page not found",
    text: "The link may be outdated, or the address mistyped.",
    map: "Open the map",
    docs: "Read the API docs",
  },
} as const satisfies Record<PageLanguage, object>;

const STYLE = `
  :root { color-scheme: light dark; --ink: #1b2129; --page: #f3f1ec; --muted: #5b6472; --accent: #0b6e63; --accent-ink: #fff }
  @media (prefers-color-scheme: dark) { :root { --ink: #e9ecf0; --page: #101318; --muted: #a4adba; --accent: #5ecbba; --accent-ink: #06241f } }
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: var(--page); color: var(--ink); font: 17px/1.6 system-ui, sans-serif }
  main { max-width: 30rem; padding: 2rem 1.5rem }
  .code { margin: 0; color: var(--muted); font-weight: 650 }
  h1 { margin: 0.25rem 0 0.75rem; font-size: 1.9rem; line-height: 1.2 }
  nav { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; align-items: center; margin-top: 1.75rem }
  a { color: var(--accent); font-weight: 600 }
  a.first { padding: 0.6rem 1.2rem; border-radius: 12px; background: var(--accent); color: var(--accent-ink); text-decoration: none }
`;

/** The style sheet is in the page, so the page may use this one and nothing else. */
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

export const NOT_FOUND_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface NotFoundOptions {
  readonly language: PageLanguage;
  /** The public address of the server, without a slash at its end. */
  readonly home: string;
  /** Whether there is a map page to go to. */
  readonly hasMap: boolean;
}

export function buildNotFoundPage({ language, home, hasMap }: NotFoundOptions): string {
  const { title, text, map, docs } = TEXTS[language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Hereabouts</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <p class="code">404</p>
      <h1>${title}</h1>
      <p>${text}</p>
      <nav>${hasMap ? `<a class="first" href="${home}/">${map}</a>` : ""}<a href="${home}/docs">${docs}</a></nav>
    </main>
  </body>
</html>
`;
}

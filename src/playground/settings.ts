import type { PageSettings } from "../assets.ts";

/** What the server says about itself, from the page. */
export const settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}") as PageSettings;

/** Where the page is: the API is below it, also behind a proxy that gives it a path. */
export const baseUrl = new URL(".", location.href.split(/[?#]/, 1)[0]).href;

/** A photo may be loaded only from where the server says; everything else is drawn. */
export function mayShowPhoto(url: string): boolean {
  return URL.canParse(url) && settings.photoOrigins.includes(new URL(url).origin);
}

export const wantsStillness = matchMedia("(prefers-reduced-motion: reduce)").matches;

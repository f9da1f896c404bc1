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

/** What a browser remembers; where it may not remember anything, it forgets at once and nothing else happens. */

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`hereabouts.${name}`, value);
  } catch {
    // Private windows of some browsers.
  }
}

const KEY = "hereabouts.key";

/** The key that was given in this tab; it ends with the tab. */
export function rememberedKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberKey(key: string): void {
  try {
    sessionStorage.setItem(KEY, key);
  } catch {
    // It holds until the page is left.
  }
}

export function forgetKey(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was none.
  }
}

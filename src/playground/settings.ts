import type { PageSettings } from "../assets/assets.ts";

/** The server's settings, embedded in the page. */
export const settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}") as PageSettings;

/** The address of the page; the API is below it, also behind a proxy with a path. */
export const baseUrl = new URL(".", location.href.split(/[?#]/, 1)[0]).href;

/** Whether a photo comes from an origin that the server allows; others are drawn. */
export function mayShowPhoto(url: string): boolean {
  return URL.canParse(url) && settings.photoOrigins.includes(new URL(url).origin);
}

/** Without an origin, no photo is shown, and none needs to be requested. */
export const showsPhotos = settings.photoOrigins.length > 0;

export const wantsStillness = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Saves a setting in this browser; does nothing if the browser does not allow it. */

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`hereabouts.${name}`, value);
  } catch {
    // Private windows of some browsers have no storage.
  }
}

const KEY = "hereabouts.key";

/** The key that was entered in this tab; it is deleted with the tab. */
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
    // The key then lasts until the page is closed.
  }
}

export function forgetKey(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was none.
  }
}

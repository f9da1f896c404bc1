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

/**
 * Runs as a plain script before the first paint: sets the saved theme and language, else those of the system, so that the page does not
 * flash in another colour, and loads the texts of that language.
 */
(() => {
  const remembered = (name: string): string | null => {
    try {
      return localStorage.getItem(`hereabouts.${name}`);
    } catch {
      return null;
    }
  };
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const showTheme = (): void => {
    const saved = remembered("theme");
    const isSaved = saved === "light" || saved === "dark";
    document.documentElement.dataset["theme"] = isSaved ? saved : darkness.matches ? "dark" : "light";
  };
  showTheme();
  darkness.addEventListener("change", showTheme);
  const language =
    remembered("language") ?? navigator.languages.find((tag) => /^(?:vi|en)\b/i.test(tag)) ?? "en";
  document.documentElement.lang = language.slice(0, 2).toLowerCase();
  const { src } = document.currentScript as HTMLScriptElement;
  const preload = document.createElement("link");
  preload.rel = "modulepreload";
  preload.href = new URL(document.documentElement.lang === "vi" ? "texts-vi.ts" : "texts-en.ts", src).href;
  document.head.append(preload);
})();

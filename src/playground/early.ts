/**
 * Runs as a plain script before the first paint: sets the saved theme and language, so that the page does not
 * flash in another colour.
 */
(() => {
  const remembered = (name: string): string | null => {
    try {
      return localStorage.getItem(`hereabouts.${name}`);
    } catch {
      return null;
    }
  };
  const theme = remembered("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
  const language =
    remembered("language") ?? navigator.languages.find((tag) => /^(?:vi|en)\b/i.test(tag)) ?? "en";
  document.documentElement.lang = language.slice(0, 2).toLowerCase();
})();

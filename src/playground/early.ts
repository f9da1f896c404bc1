/**
 * Runs before anything is painted, as a plain script: the theme and the language that were chosen here before, so that nothing
 * flashes in another colour.
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

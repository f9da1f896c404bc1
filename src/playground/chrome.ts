import { byId, replace } from "./dom.ts";
import { icon } from "./drawing.ts";
import { remember } from "./settings.ts";
import { language, texts } from "./texts.ts";

/** Writes texts where the page has `data-label`. */
export function writeLabels(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) {
    const label = textOf(element.dataset["label"]);
    element.setAttribute("aria-label", label);
    if (element instanceof HTMLButtonElement) element.title = label;
  }
}

/** Writes the texts and icons of the map page. */
export function writeTexts(): void {
  writeLabels();
  replace(byId("key"), icon("key"));
  replace(byId("draw-box"), icon("box"));
  replace(byId("locate"), icon("locate"));
  replace(byId("search-here"), icon("search", 16), texts.searchHere);
  replace(byId("menu-toggle"), icon("menu"));
  byId("menu-toggle").setAttribute("aria-label", texts.menu);
  replace(byId("menu-request"), icon("code", 16), texts.requestTitle);
  replace(byId("menu-docs"), texts.docs);
  byId("explain").textContent = texts.why;
  byId("compare").textContent = texts.compare;
}

function textOf(name: string | undefined): string {
  const text = texts[name as keyof typeof texts];
  return typeof text === "string" ? text : "";
}

/** As in the style sheets. */
const PHONE = "(width <= 760px) and (height > 600px), (width < 560px)";

/**
 * On a phone, the filters and the menu are behind a button each; one at a time is open. The menu also has what only few people look
 * for in a list.
 */
export function watchPhoneTools(): void {
  const tools = ["filters", "menu"] as const;
  const isOpen = (tool: (typeof tools)[number]): boolean => byId("head").classList.contains(`with-${tool}`);
  const open = (wanted: (typeof tools)[number] | undefined): void => {
    for (const tool of tools) {
      byId("head").classList.toggle(`with-${tool}`, tool === wanted);
      byId(`${tool}-toggle`).setAttribute("aria-expanded", String(tool === wanted));
    }
  };
  for (const tool of tools)
    byId(`${tool}-toggle`).addEventListener("click", () => open(isOpen(tool) ? undefined : tool));
  byId("menu-request").addEventListener("click", () => {
    open(undefined);
    byId("request-toggle").click();
    byId("request-toggle").focus();
  });
  open(undefined);
  const phone = matchMedia(PHONE);
  const placeToggles = (): void =>
    byId(phone.matches ? "menu-row" : "found-head").append(byId("compare"), byId("explain"));
  phone.addEventListener("change", placeToggles);
  placeToggles();
}

/** Connects the switches for language and theme; both are saved. A new language reloads the page. */
export function watchSwitches(onTheme: () => void): void {
  for (const choice of ["vi", "en"] as const) {
    const element = byId(`lang-${choice}`);
    element.setAttribute("aria-pressed", String(choice === language));
    element.addEventListener("click", () => {
      remember("language", choice);
      if (choice !== language) location.reload();
    });
  }
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const isDark = (): boolean => document.documentElement.dataset["theme"] === "dark";
  const show = (): void => {
    replace(byId("theme"), icon(isDark() ? "sun" : "moon"));
    byId("theme").setAttribute("aria-pressed", String(isDark()));
    onTheme();
  };
  byId("theme").addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    remember("theme", theme);
    show();
  });
  darkness.addEventListener("change", show);
  show();
}

import type { PageLanguage as Language } from "../place/document/localized-texts.ts";
import type { Texts } from "./texts-en.ts";

export type { Language, Texts };

/** The language of the page, set by `early.ts`. */
export const language: Language = document.documentElement.lang === "vi" ? "vi" : "en";

/** Only one of the two files is loaded; `early.ts` asks for it before anything waits for it. */
export const texts: Texts =
  language === "vi" ? (await import("./texts-vi.ts")).VIETNAMESE : (await import("./texts-en.ts")).ENGLISH;

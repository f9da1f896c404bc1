import type { PageLanguage as Language } from "../place/localized-texts.ts";
import { ENGLISH, type Texts } from "./texts-en.ts";
import { VIETNAMESE } from "./texts-vi.ts";

export type { Language, Texts };

/** The language of the page, set by `early.ts`. */
export const language: Language = document.documentElement.lang === "vi" ? "vi" : "en";

export const texts: Texts = language === "vi" ? VIETNAMESE : ENGLISH;

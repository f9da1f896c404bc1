import type { PlaceDraft } from "../../place-draft.ts";
import { asText, readMember, readObject, readObjects, type Members } from "../native/members.ts";

/** Airports have a name in every language of the world; this many are worth their place in the index. */
const MAX_ALTERNATE_NAMES = 60;

/** Where there is no primary name, the languages to take one from first. */
const TITLE_LANGUAGES = ["vi", "en"];

/** All that a place is called. One without a name of its own goes by its brand; `undefined` when nobody has named it. */
export function readNames(record: Members): Pick<PlaceDraft, "title" | "alternate_names"> | undefined {
  const own = readNameSet(readObject(record, "names"));
  const brand = readNameSet(readObject(readObject(record, "brand"), "names"));
  const title = own.primary ?? own.others[0] ?? brand.primary ?? brand.others[0];
  if (title === undefined) return undefined;
  const others = new Set([...own.others, ...(brand.primary ? [brand.primary] : []), ...brand.others]);
  others.delete(title);
  return { title, alternate_names: [...others].slice(0, MAX_ALTERNATE_NAMES) };
}

interface NameSet {
  readonly primary: string | undefined;
  readonly others: readonly string[];
}

/** `primary`, `common` by language, and `rules`, which hold official, short and alternate names. */
function readNameSet(names: Members): NameSet {
  const common = readObject(names, "common");
  const languages = Object.keys(common.values).toSorted((a, b) => rankOf(a) - rankOf(b));
  const ruled = readObjects(names, "rules", (rule) => readMember(rule, "value", asName));
  return {
    primary: readMember(names, "primary", asText)?.trim() || undefined,
    others: [...languages.flatMap((language) => readMember(common, language, asName) ?? []), ...ruled],
  };
}

const rankOf = (language: string): number => {
  const index = TITLE_LANGUAGES.indexOf(language);
  return index === -1 ? TITLE_LANGUAGES.length : index;
};

const asName = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

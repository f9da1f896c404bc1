import { isDeepStrictEqual } from "node:util";
import type { Settings } from "meilisearch";
import type { EngineConnection } from "./engine-connection.ts";
import { INDEX_SETTINGS } from "./index-settings.ts";

/** What we leave as the engine has it, and what would change answers if somebody else did not. */
const UNTOUCHED_SETTINGS: Settings = {
  displayedAttributes: ["*"],
  stopWords: [],
  synonyms: {},
  distinctAttribute: null,
  dictionary: [],
  separatorTokens: [],
  nonSeparatorTokens: [],
};

const SETTINGS_DEADLINE_MS = 10_000;

/** The names of the settings of an index that are not as a build sets them. */
export async function readSettingsDrift({ client }: EngineConnection, uid: string): Promise<string[]> {
  const extraRequestInit = { signal: AbortSignal.timeout(SETTINGS_DEADLINE_MS) };
  const found = await client.httpRequest.get<Settings>({ path: `indexes/${uid}/settings`, extraRequestInit });
  return findDrift(found);
}

/** The names of the settings that differ from ours, nested ones with a point. */
export const findDrift = (found: Settings): string[] =>
  differences({ ...UNTOUCHED_SETTINGS, ...INDEX_SETTINGS }, found, "");

/** Lists count as one value; of an object the members that are wanted, since the engine adds its defaults. */
function differences(wanted: object, found: object, path: string): string[] {
  return Object.entries(wanted).flatMap(([name, value]: [string, unknown]) => {
    const other: unknown = (found as Record<string, unknown>)[name];
    if (isObject(value) && isObject(other) && Object.keys(value).length > 0)
      return differences(value, other, `${path}${name}.`);
    return isDeepStrictEqual(value, other) ? [] : [path + name];
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import { type Client, createClient, type Exchange } from "../client/client.ts";
import type { Overview } from "../search/overview.ts";
import { baseUrl, forgetKey, rememberedKey, rememberKey } from "./settings.ts";
import { language } from "./texts.ts";

/** A person waits in front of it: one short repetition, and then a word about what is wrong. */
const PATIENCE = { retries: 1, maxRetryWaitMs: 800, timeoutMs: 10_000 };

export interface Api {
  /** The client of the key of this moment. */
  client(): Client;
  key(): string | undefined;
  /** Whether the key is that of a demo which only this machine reaches. */
  isDemo(): boolean;
  useKey(key: string): void;
  forget(): void;
}

export type { Overview };

/** The API with the key of this tab or else the demo's. `onExchange` is told of every answer. */
export async function openApi(onExchange: (exchange: Exchange) => void): Promise<Api> {
  const demoKey = await readDemoKey();
  let key = rememberedKey() ?? demoKey;
  return {
    client: () => createClient({ baseUrl, apiKey: key ?? "", language, onExchange, ...PATIENCE }),
    key: () => key,
    isDemo: () => key !== undefined && key === demoKey,
    useKey(given) {
      key = given;
      rememberKey(given);
    },
    forget() {
      forgetKey();
      key = demoKey;
    },
  };
}

/** There is one in a demo on this machine only; the page says so beforehand, so that nobody asks in vain. */
async function readDemoKey(): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("playground/demo-key.json", baseUrl));
    if (!response.ok) return undefined;
    const { key } = (await response.json()) as { key: string };
    return key;
  } catch {
    return undefined;
  }
}

/** Where there are places; undefined when it cannot be told, and the map does without. */
export async function readOverview(key: string | undefined): Promise<Overview | undefined> {
  if (key === undefined) return undefined;
  try {
    const response = await fetch(new URL("playground/overview", baseUrl), { headers: { "x-api-key": key } });
    return response.ok ? ((await response.json()) as Overview) : undefined;
  } catch {
    return undefined;
  }
}

/** The corners of a cell in degrees: latitude and longitude in turns. */
export function readOutline(steps: readonly number[]): number[] {
  const units: number[] = [];
  for (const [index, step] of steps.entries()) units.push(step + (units[index - 2] ?? 0));
  return units.map((unit) => unit / 10_000);
}

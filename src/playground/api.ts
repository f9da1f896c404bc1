import { type Client, createClient, type Exchange } from "../client/client.ts";
import type { PageOverview } from "../assets/assets.ts";
import { addKinds } from "./kinds.ts";
import type { NamedPlace } from "./labels.ts";
import type { Leaflet } from "./leaflet.ts";
import { baseUrl, forgetKey, rememberedKey, rememberKey, settings } from "./settings.ts";
import { language } from "./texts.ts";
import { type Point, toBox, toPoint } from "./view.ts";

/** A person is waiting: one short retry, then an error message. */
const PATIENCE = { retries: 1, maxRetryWaitMs: 800, timeoutMs: 10_000 };

export interface Api {
  /** A client with the current key. */
  client(): Client;
  /** The same for requests that nobody asked for: the request panel does not show them, and they are not repeated. */
  quietClient(): Client;
  key(): string | undefined;
  /** Whether the key is the demo key, which works on this machine only. */
  isDemo(): boolean;
  useKey(key: string): void;
  forget(): void;
}

/** The API with the key of this tab, or else the demo key. `onExchange` is called with every response. */
export async function openApi(onExchange: (exchange: Exchange) => void): Promise<Api> {
  const demoKey = await readDemoKey();
  let key = rememberedKey() ?? demoKey;
  return {
    client: () =>
      createClient({
        baseUrl,
        apiKey: key ?? "",
        language,
        onExchange,
        fetch: reportFailures(onExchange),
        ...PATIENCE,
      }),
    quietClient: () => createClient({ baseUrl, apiKey: key ?? "", language, ...PATIENCE, retries: 0 }),
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

/** `fetch` that also reports a request without any response, as one with the status 0; not one that was replaced by a newer one. */
function reportFailures(onExchange: (exchange: Exchange) => void): typeof fetch {
  return async (input, init) => {
    const startMs = performance.now();
    try {
      return await fetch(input, init);
    } catch (error) {
      const durationMs = performance.now() - startMs;
      const url = input instanceof Request ? input.url : input.toString();
      const isReplaced = error instanceof DOMException && error.name === "AbortError";
      if (!isReplaced) onExchange({ url, status: 0, headers: new Headers(), text: "", durationMs });
      throw error;
    }
  };
}

/** The key of a demo on this machine; undefined on every other server. */
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

/** Where the dataset has places; undefined when the request fails, and the map is drawn without it. */
export async function readOverview(key: string | undefined): Promise<PageOverview | undefined> {
  if (key === undefined) return undefined;
  try {
    // Over tiles, no cells are drawn.
    const path = settings.tiles === null ? "playground/overview" : "playground/overview?cells=few";
    const response = await fetch(new URL(path, baseUrl), { headers: { "x-api-key": key } });
    if (!response.ok) return undefined;
    const overview = (await response.json()) as PageOverview;
    addKinds(overview.kinds);
    return overview;
  } catch {
    return undefined;
  }
}

/** More names do not fit on a screen. */
const NAMED_PLACES = 50;
const NAMED_FIELDS = ["title", "type", "location.latitude", "location.longitude"];

/** The best known places in a rectangle; none without a key. */
export async function readPlacesIn(
  api: Api,
  bounds: Leaflet.LatLngBounds,
  signal: AbortSignal,
): Promise<readonly NamedPlace[]> {
  if (api.key() === undefined) return [];
  const { lat, lng } = bounds.getCenter();
  const response = await api.quietClient().nearby(
    {
      ...toPoint(lat, lng),
      bbox: toBox([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]),
      sort: "prominence",
      limit: NAMED_PLACES,
      fields: NAMED_FIELDS,
    },
    { signal },
  );
  return response.local_result as readonly NamedPlace[];
}

/** The ward of a point, or else its city; undefined where neither is known. */
export async function readAreaName(
  api: Api,
  { lat, lng }: Point,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (api.key() === undefined) return undefined;
  const { reverse_result: found } = await api
    .quietClient()
    .reverse({ lat, lng, limit: 1, fields: ["data_id"] }, { signal });
  return found.address.ward || found.address.city || undefined;
}

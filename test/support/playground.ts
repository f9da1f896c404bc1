import { readPlaygroundAssets, type PageSettings } from "../../src/assets.ts";
import type { Playground } from "../../src/http/routes/playground.ts";

/** The map with the server's defaults: no tiles and no photos from other origins. */
export function buildPlayground(settings: Partial<PageSettings> = {}, demoKey?: string): Playground {
  const all: PageSettings = { tiles: null, photoOrigins: [], ...settings };
  return { assets: readPlaygroundAssets(all), settings: all, demoKey };
}

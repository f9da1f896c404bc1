import { readPlaygroundAssets, type PageSettings } from "../../src/assets.ts";
import type { Playground } from "../../src/http/routes/playground.ts";

/** The map as the server has it by default: no tiles, no photos of others. */
export function buildPlayground(settings: Partial<PageSettings> = {}, demoKey?: string): Playground {
  const all: PageSettings = { tiles: null, photoOrigins: [], ...settings };
  return { assets: readPlaygroundAssets(all), settings: all, demoKey };
}

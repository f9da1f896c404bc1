import { readPlaygroundAssets, type PageSettings, type PlaygroundAssets } from "../../src/assets/assets.ts";
import type { Playground } from "../../src/http/routes/playground.ts";

/** Files are compressed once for all tests of a process, which is most of the time that a page takes to open. */
let assets: PlaygroundAssets | undefined;

/** The map with the server's defaults: no tiles and no photos from other origins. */
export function buildPlayground(settings: Partial<PageSettings> = {}, demoKey?: string): Playground {
  assets ??= readPlaygroundAssets();
  return { assets, settings: { tiles: null, photoOrigins: [], ...settings }, demoKey };
}

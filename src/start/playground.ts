import { readPlaygroundAssets } from "../assets/playground-assets.ts";
import type { Config } from "../config.ts";
import { isOnlyForThisMachine } from "../demo-key.ts";
import type { Engines } from "../local-engines/acquire-engines.ts";
import type { Playground } from "../routes/playground.ts";

/** The map, unless it is switched off. It gets the demo key where that is a key of this machine alone. */
export function preparePlayground(
  config: Config,
  engines: Engines,
  [demoKey]: readonly string[],
): Playground | undefined {
  if (config.PLAYGROUND === "off") return undefined;
  const { TILES_URL: url, TILES_ATTRIBUTION: attribution, PHOTO_ORIGINS: photoOrigins } = config;
  const settings = { tiles: url === undefined ? null : { url, attribution }, photoOrigins };
  const isDemo = engines.isLocal && config.API_KEYS.length === 0 && isOnlyForThisMachine(config);
  return { assets: readPlaygroundAssets(settings), settings, ...(isDemo && { demoKey }) };
}

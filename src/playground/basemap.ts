import type { LabelRule } from "protomaps-leaflet";
import type { PageTiles } from "../assets/assets.ts";
import { buildLabelRules, buildPaintRules, readColours, type TileLibrary } from "./basemap-style.ts";
import type { Leaflet } from "./leaflet.ts";
import { baseUrl } from "./settings.ts";
import { language } from "./texts.ts";

interface Basemap {
  /** Draws again, in the colours of the theme. */
  redraw(): void;
}

/** The members of the library's layer that are used here; it declares none. */
interface VectorLayer extends Leaflet.GridLayer {
  paintRules: unknown;
  labelRules: unknown;
  backgroundColor: string;
  clearLayout(): void;
  rerenderTiles(): void;
}

/** Draws a PMTiles file as the ground of the map. */
export async function createBasemap(
  map: Leaflet.Map,
  tiles: PageTiles & { readonly maxZoom: number },
): Promise<Basemap> {
  const library = await loadLibrary();
  const layer = library.leafletLayer({
    url: new URL(tiles.url, baseUrl).href,
    maxDataZoom: tiles.maxZoom,
    lang: language,
    attribution: toHtml(tiles.attribution),
    ...buildStyle(library, tiles),
  }) as unknown as VectorLayer;
  layer.addTo(map);
  return {
    redraw() {
      Object.assign(layer, buildStyle(library, tiles));
      layer.clearLayout();
      layer.rerenderTiles();
    },
  };
}

function buildStyle(library: TileLibrary, { isOverlay = false }: PageTiles) {
  const colours = readColours();
  const names = buildLabelRules(library, colours, language);
  return {
    paintRules: buildPaintRules(library, colours),
    labelRules: isOverlay ? names.map(whenClose) : names,
    ...(!isOverlay && { backgroundColor: colours.earth }),
  };
}

/** Further away, the page writes the names of areas itself. */
const CLOSE_ZOOM = 15;

const whenClose = (rule: LabelRule): LabelRule => ({
  ...rule,
  minzoom: Math.max(rule.minzoom ?? 0, CLOSE_ZOOM),
});

/** Leaflet expects HTML, but the attribution is plain text. */
function toHtml(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}

/** Runs the library, which adds itself to the global object. */
async function loadLibrary(): Promise<TileLibrary> {
  const script = document.createElement("script");
  script.src = new URL("../lib/protomaps-leaflet.js", import.meta.url).href;
  const loaded = Promise.withResolvers<void>();
  script.addEventListener("load", () => loaded.resolve());
  script.addEventListener("error", () => loaded.reject(new Error("The library of the map did not load.")));
  document.head.append(script);
  await loaded.promise;
  return (globalThis as unknown as { readonly protomapsL: TileLibrary }).protomapsL;
}

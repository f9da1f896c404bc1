import type * as Leaflet from "leaflet";

/** The map library, which comes as a plain script and puts itself here. */
export const L = (globalThis as unknown as { readonly L: typeof Leaflet }).L;
export type { Leaflet };

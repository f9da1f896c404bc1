import type * as Leaflet from "leaflet";

/** Leaflet, which a plain script adds to the global object. */
export const L = (globalThis as unknown as { readonly L: typeof Leaflet }).L;
export type { Leaflet };

import type { Coordinates } from "./coordinates.ts";

/** The centre of a request without coordinates. Each coordinate has its own default, so a request may give only one. */
export const DEFAULT_CENTRE: Coordinates = { latitude: 10.801671, longitude: 106.61744 };

/** The longest query in characters: longer than any name and address together. */
export const MAX_QUERY_LENGTH = 256;

import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { PlaceIndex } from "../place-index/place-index.ts";
import { createOverviewReader } from "../search/overview.ts";
import { sendJson } from "./send-json.ts";

/** `GET /playground/overview`: where there are places and of what types, for the map. It needs a key, as everything about places does. */
export function overviewRoute(index: PlaceIndex): HttpMiddleware {
  const readOverview = createOverviewReader(index);
  return async (ctx) => {
    sendJson(ctx, await readOverview());
  };
}

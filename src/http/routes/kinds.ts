import { toKinds, type KindsAnswer } from "../../answers/kinds.ts";
import { parseLanguage } from "../../place/document/localized-texts.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import type { PlaceSearch } from "../../search/search-request.ts";
import { kindsParameters } from "../parameters.ts";
import { type RouteSteps, withParameters } from "../query-string.ts";
import { sendCacheable } from "../send.ts";

/** They change with an import, and their counts with every change. */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/kinds`: the kinds that the dataset has, with their labels, counts and icons. */
export function kindsRoute(search: PlaceSearch, defaults: RequestDefaults): RouteSteps {
  return withParameters(kindsParameters, async (ctx, { lang }) => {
    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    const kinds = toKinds(await search.countTypes(), language);
    ctx.state.results = kinds.length;
    sendCacheable<KindsAnswer>(ctx, { kinds }, MAX_AGE_SECONDS);
  });
}

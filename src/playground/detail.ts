import type { PlaceDetail } from "../client/answers.ts";
import { renderOpenState, renderRating } from "./card.ts";
import { copyText } from "./copy.ts";
import { button, h } from "./dom.ts";
import { formatDistance, formatPrices } from "./format.ts";
import { renderGallery } from "./gallery.ts";
import { renderHours } from "./hours.ts";
import { icon, type IconName } from "./icons.ts";
import { featureName, typeName } from "./kinds.ts";
import { section } from "./part.ts";
import { renderPopularTimes } from "./popular-times.ts";
import { renderReviews } from "./reviews.ts";
import { texts } from "./texts.ts";

interface DetailOptions {
  readonly onBack: () => void;
  readonly onSearchAround: () => void;
}

/** Everything about one place. Sections without data are left out. */
export function renderDetail(place: PlaceDetail, options: DetailOptions): HTMLElement {
  return h(
    "article",
    { class: "detail" },
    h(
      "div",
      { class: "detail-bar" },
      button({ class: "quiet", id: "back" }, options.onBack, icon("back", 18), texts.back),
    ),
    renderGallery(place),
    renderHeading(place),
    renderActions(options),
    renderContacts(place),
    place.description !== "" && section(texts.about, h("p", {}, place.description)),
    renderHours(place),
    renderPopularTimes(place),
    renderFeatures(place),
    renderReviews(place),
    section(
      texts.identifiers,
      h("p", { class: "mono" }, `data_id ${place.data_id}`),
      h("p", { class: "mono" }, `plus code ${place.global_plus_code}`),
    ),
  );
}

function renderHeading(place: PlaceDetail): HTMLElement {
  const price = formatPrices(place.pricing);
  const way = place.distance_m === undefined ? undefined : formatDistance(place.distance_m);
  return h(
    "div",
    { class: "detail-head" },
    h("h2", { tabindex: "-1", id: "detail-title" }, place.title),
    h("p", { class: "line" }, renderRating(place)),
    h("p", { class: "line muted" }, [typeName(place.type), price, way].filter(Boolean).join(" · ")),
    renderOpenState(place),
  );
}

function renderActions({ onSearchAround }: DetailOptions): HTMLElement {
  const copyLink = button(
    { class: "action" },
    () => void copyText(location.href, copyLink),
    icon("link", 18),
    h("span", {}, texts.copyLink),
  );
  return h(
    "div",
    { class: "actions" },
    button({ class: "action" }, onSearchAround, icon("compass", 18), texts.searchAround),
    copyLink,
  );
}

function renderContacts({
  location: { address },
  contacts,
  link_external_maps: map,
}: PlaceDetail): HTMLElement {
  const host = URL.canParse(contacts.website) ? new URL(contacts.website).host : contacts.website;
  return h(
    "dl",
    { class: "contacts" },
    contact("pin", texts.address, address.full || [address.ward, address.city].filter(Boolean).join(", ")),
    contact("phone", texts.phone, contacts.phone, `tel:${contacts.phone.replaceAll(" ", "")}`),
    contact("web", texts.website, host, contacts.website),
    contact("external", texts.map, texts.externalMap, map),
  );
}

function contact(name: IconName, label: string, text: string, href?: string): HTMLElement | false {
  if (text === "") return false;
  // A record may bring any text as its website: only what leads to the web or a phone becomes a link.
  const isLink = href !== undefined && /^(?:https?:|tel:)/i.test(href);
  const value = isLink ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, text) : text;
  return h(
    "div",
    {},
    h("dt", {}, icon(name, 18), h("span", { class: "hidden-text" }, label)),
    h("dd", {}, value),
  );
}

function renderFeatures({ features }: PlaceDetail): HTMLElement | false {
  const codes = Object.values(features).flat();
  if (codes.length === 0) return false;
  return section(
    texts.features,
    h("ul", { class: "tags" }, ...codes.map((code) => h("li", {}, featureName(code)))),
  );
}

import type { PlaceDetail } from "../client/answers.ts";
import { button, copyText, h, replace, section } from "./dom.ts";
import { icon, type IconName } from "./drawing.ts";
import { formatDistance, formatPrices } from "./format.ts";
import { featureName, typeName } from "./kinds.ts";
import { renderOpenState, renderRating } from "./results.ts";
import { mayShowPhoto } from "./settings.ts";
import { texts } from "./texts.ts";
import { renderHours, renderPopularTimes } from "./times.ts";

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
    renderHeading(place),
    renderActions(place, options),
    renderGallery(place),
    renderContacts(place),
    place.description !== "" && section(texts.about, h("p", { dir: "auto" }, place.description)),
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
    h("h2", { tabindex: "-1", id: "detail-title", dir: "auto" }, place.title),
    h("p", { class: "line" }, renderRating(place)),
    h("p", { class: "line muted" }, [typeName(place.type), price, way].filter(Boolean).join(" · ")),
    renderOpenState(place),
  );
}

function renderActions(
  { title, location: { latitude, longitude } }: PlaceDetail,
  options: DetailOptions,
): HTMLElement {
  // Phones open it in the map program that their owner prefers; it needs no key.
  const route = `https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`;
  const share = button(
    { class: "action" },
    () => void shareLink(title, share),
    icon("share", 18),
    h("span", {}, canShare ? texts.share : texts.copyLink),
  );
  return h(
    "div",
    { class: "actions" },
    h(
      "a",
      { class: "action", href: route, target: "_blank", rel: "noopener noreferrer" },
      icon("route", 18),
      texts.directions,
    ),
    button({ class: "action" }, options.onSearchAround, icon("compass", 18), texts.searchAround),
    share,
  );
}

const canShare = typeof navigator.share === "function";

/** The share sheet of the device, or else a copy of the link. */
async function shareLink(title: string, element: HTMLElement): Promise<void> {
  if (!canShare) return copyText(location.href, element);
  // Rejects when the person closes the sheet.
  await navigator.share({ title, url: location.href }).catch(() => undefined);
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
  // A record may have any text as its website: only http(s) and tel become links.
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

type Media = PlaceDetail["photos"][number]["media"][number];

/** The galleries of a place as one strip; false without photos that may be shown. */
function renderGallery(place: PlaceDetail): HTMLElement | false {
  const galleries = place.photos
    .map((gallery) => ({ ...gallery, media: gallery.media.filter(({ url }) => mayShowPhoto(url)) }))
    .filter(({ media }) => media.length > 0);
  const [first] = galleries;
  if (first === undefined) return false;
  const strip = h("div", { class: "strip", tabindex: "0", role: "group", "aria-label": texts.photos });
  const tabs = h("div", { class: "tabs", role: "group", "aria-label": texts.photos });
  const show = (index: number): void => {
    const gallery = galleries[index] ?? first;
    for (const [each, tab] of [...tabs.children].entries())
      tab.setAttribute("aria-pressed", String(each === index));
    replace(strip, ...gallery.media.map((media) => renderShot(media, place, gallery.category_label)));
    strip.scrollLeft = 0;
  };
  tabs.append(
    ...galleries.map(({ category_label, media }, index) =>
      button({ class: "tab" }, () => show(index), `${category_label} ${media.length}`),
    ),
  );
  show(0);
  return h("div", { class: "gallery" }, strip, h("div", { class: "gallery-foot" }, tabs));
}

/** A photo, which leaves if it fails to load. */
function renderShot(
  { url, width, height }: Media,
  place: Pick<PlaceDetail, "title">,
  label: string,
): HTMLElement {
  const image = h("img", {
    src: url,
    alt: texts.photoOf(place.title, label),
    width,
    height,
    loading: "lazy",
    referrerpolicy: "no-referrer",
  });
  const shot = h("div", { class: height > width ? "shot tall" : "shot wide" }, image);
  image.addEventListener("error", () => shot.remove());
  return shot;
}

type Review = PlaceDetail["review_list"][number];

/** More reviews would push the rest of the page out of view. */
const SHOWN = 3;

function renderReviews(place: PlaceDetail): HTMLElement | false {
  const reviews = place.review_list;
  if (reviews.length === 0) return false;
  const list = h(
    "ul",
    { class: "reviews" },
    ...reviews.slice(0, SHOWN).map((review) => renderReview(review, place)),
  );
  const hidden = reviews.slice(SHOWN);
  const more = button(
    { class: "quiet" },
    () => {
      const rest = hidden.map((review) => renderReview(review, place));
      list.append(...rest);
      more.remove();
      rest[0]?.focus();
    },
    texts.moreReviews(hidden.length),
  );
  return section(texts.reviews, list, hidden.length > 0 && more);
}

function renderReview(review: Review, place: PlaceDetail): HTMLLIElement {
  const photos = review.photos.filter(({ url }) => mayShowPhoto(url));
  return h(
    "li",
    { tabindex: "-1" },
    h(
      "div",
      { class: "review-head" },
      h("span", { class: "face", "aria-hidden": "true" }, Array.from(review.author_name)[0] ?? "?"),
      h("b", {}, review.author_name),
      h(
        "span",
        { class: "stars", role: "img", "aria-label": `${review.rating} / 5` },
        "★".repeat(review.rating),
        h("span", { class: "pale" }, "★".repeat(5 - review.rating)),
      ),
    ),
    h("p", review.text === "" ? { class: "muted" } : {}, review.text || texts.noReviewText),
    photos.length > 0 &&
      h("div", { class: "review-photos" }, ...photos.map((photo) => renderShot(photo, place, texts.reviews))),
  );
}

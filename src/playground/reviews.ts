import type { PlaceDetail } from "../client/answers.ts";
import { button, h } from "./dom.ts";
import { renderShot } from "./gallery.ts";
import { section } from "./part.ts";
import { texts } from "./texts.ts";

type Review = PlaceDetail["review_list"][number];

/** More at once push the rest of the page away. */
const SHOWN = 3;

export function renderReviews(place: PlaceDetail): HTMLElement | false {
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
    review.photos.length > 0 &&
      h(
        "div",
        { class: "review-photos" },
        ...review.photos.map((photo) => renderShot(photo, place, texts.reviews)),
      ),
  );
}

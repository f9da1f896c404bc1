import type { PlaceDetail } from "../client/answers.ts";
import { button, h, replace } from "./dom.ts";
import { drawPlace } from "./drawing.ts";
import { lookOf } from "./kinds.ts";
import { mayShowPhoto } from "./settings.ts";
import { texts } from "./texts.ts";

type Media = PlaceDetail["photos"][number]["media"][number];

/** The galleries of a place as one strip; nothing where there are no photos. */
export function renderGallery(place: PlaceDetail): HTMLElement | false {
  const galleries = place.photos.filter(({ media }) => media.length > 0);
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
  const isDrawn = galleries.every(({ media }) => !media.some(({ url }) => mayShowPhoto(url)));
  return h(
    "div",
    { class: "gallery" },
    strip,
    h("div", { class: "gallery-foot" }, tabs, isDrawn && h("p", { class: "small muted" }, texts.photosDrawn)),
  );
}

/** A photo where it may be loaded from, else a drawing in its shape; also where the photo turns out not to be there. */
export function renderShot(
  { id, url, width, height }: Media,
  place: Pick<PlaceDetail, "type" | "title">,
  label: string,
): HTMLElement {
  const shape = height > width ? "shot tall" : "shot wide";
  const draw = (): SVGElement => drawPlace(lookOf(place.type), id);
  if (!mayShowPhoto(url)) return h("div", { class: shape }, draw());
  const image = h("img", {
    src: url,
    alt: texts.photoOf(place.title, label),
    width,
    height,
    loading: "lazy",
    referrerpolicy: "no-referrer",
  });
  image.addEventListener("error", () => image.replaceWith(draw()));
  return h("div", { class: shape }, image);
}

import type { Random } from "./random.ts";

/** A picture. The URLs lead nowhere. */
export interface Media {
  readonly id: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** A gallery of the `photos` of a record. */
export interface Gallery {
  readonly category_id: string;
  readonly category_label: string;
  readonly media: readonly Media[];
}

const PHOTO_HOST = "https://example.com/photos";
const SIZES = [
  [1200, 900],
  [1600, 1200],
  [900, 1200],
  [1080, 1920],
  [1080, 1080],
  [2048, 1536],
  [1280, 720],
] as const;

/** One picture of a place, by its number among them. */
export function buildMedia(placeNumber: number, mark: string, random: Random): Media {
  const [width, height] = random.pick(SIZES);
  const id = `${placeNumber.toString(36)}-${mark}`;
  return { id, url: `${PHOTO_HOST}/${id}.jpg`, width, height };
}

/** The galleries of a place: all pictures, the newest, the inside, and the menu of a restaurant. */
export function drawGalleries(placeNumber: number, hasMenu: boolean, random: Random): readonly Gallery[] {
  const count = random.between(2, hasMenu ? 7 : 5);
  const all = Array.from({ length: count }, (_, index) => buildMedia(placeNumber, `${index + 1}`, random));
  const galleries: Gallery[] = [{ category_id: "all", category_label: "Tất cả", media: all }];
  if (count > 2)
    galleries.push({ category_id: "latest", category_label: "Mới nhất", media: all.slice(0, 2) });
  if (random.chance(0.5))
    galleries.push({ category_id: "interior", category_label: "Không gian", media: all.slice(1, 3) });
  if (hasMenu && count > 3)
    galleries.push({ category_id: "menu", category_label: "Thực đơn", media: all.slice(3) });
  return galleries;
}

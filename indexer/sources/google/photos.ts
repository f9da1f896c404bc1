import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { fold } from "../../../src/text/fold.ts";

type Gallery = PlaceDocument["photos"][number];
type Media = Gallery["media"][number];

/** A picture and the heading it stands under on Google's page; an empty heading is that of all pictures. */
export interface TitledPicture {
  readonly title: string;
  readonly url: string;
}

/** Google's headings, folded, and our gallery they belong to. */
const GALLERIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    all: "all, tat ca",
    latest: "latest, moi nhat",
    interior: "inside, interior, ben trong",
    exterior: "outside, exterior, ben ngoai",
    menu: "menu, thuc don",
    food_drink: "food drink, food and drink, do an va do uong, thuc pham do uong",
    food: "food, dishes, mon an",
    drink: "drink, drinks, do uong",
    vibe: "vibe, atmosphere, khong gian, khong khi",
    by_owner: "by owner, from the owner, boi chu so huu, cua chu so huu",
    by_visitors: "by visitors, from visitors, boi khach, khach hang",
    videos: "videos, video",
    street_view: "street view 360, street view and 360, street view, che do xem pho va anh 360",
    rooms: "rooms, room, phong",
    bathroom: "bathroom, phong tam",
    pool: "pool, be boi, ho boi",
    view: "view, khung canh",
    products: "products, san pham",
    services: "services, dich vu",
    team: "team, doi ngu",
    logo: "logo, bieu trung",
  }).flatMap(([id, titles]) => titles.split(", ").map((title) => [title, id])),
);

/** Pictures sorted into galleries; a heading that is none of ours keeps its own words. */
export function toGalleries(pictures: readonly TitledPicture[]): Gallery[] {
  const galleries = new Map<string, Gallery>();
  for (const { title, url } of pictures) {
    const media = toMedia(url);
    if (media === undefined) continue;
    const folded = fold(title);
    const known = folded === "" ? "all" : GALLERIES.get(folded);
    const id = known ?? folded.replaceAll(" ", "_");
    const gallery = galleries.getOrInsertComputed(id, () => ({
      category_id: id,
      category_label: known === undefined ? title : "",
      media: [],
    }));
    if (gallery.media.every((other) => other.url !== media.url)) gallery.media.push(media);
  }
  return [...galleries.values()];
}

const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** Google's picture server is told the size at the end of the address: `…=w408-h306-k-no`. */
const SIZE = /[=-]w(\d{1,5})-h(\d{1,5})/;

/** A picture by its address; `undefined` for anything but an address of the web, since callers put it into their pages. */
export function toMedia(url: string): Media | undefined {
  if (!WEB_ADDRESS.test(url)) return undefined;
  const [, width = "0", height = "0"] = SIZE.exec(url) ?? [];
  return { id: "", url, width: Number(width), height: Number(height) };
}

import { drawIcon, svg } from "../place-search/elements.ts";
import type { Look } from "../place/looks.ts";

/** SVG paths in a 24 by 24 box, drawn with a stroke of 1.8. */
const PATHS = {
  food: "M7 3v7a2.5 2.5 0 0 0 5 0V3M9.5 3v18M17 3c-2 1.5-3 4-3 7.5 0 1.5 1 2.5 3 2.500V3v18",
  drink: "M4 8h12v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5V8Zm12 1.500h1.500a2.5 2.5 0 0 1 0 5H16M8 5V3M12 5V3",
  shop: "M5 8h14l1 12H4L5 8Zm4 3V6.500a3 3 0 0 1 6 0V11",
  health: "M9.5 4h5v5.500H20v5h-5.500V20h-5v-5.500H4v-5h5.500V4Z",
  money: "M3 7h18v10H3V7Zm9 7.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 10v4M18 10v4",
  stay: "M3 19V6M3 16h18v3M21 16v-2.500a3.5 3.5 0 0 0-3.5-3.500H11v6M7 12.500a1.8 1.8 0 1 0 0-.010",
  learn: "M2 9.5 12 5l10 4.500L12 14 2 9.500ZM6 11.500V16c3 2.7 9 2.7 12 0v-4.500M22 9.500V15",
  green: "M12 21v-7M12 16.500c-5 0-7-2.5-7-6C5 6.5 8 3 12 3s7 3.5 7 7.500c0 3.5-2 6-7 6Z",
  move: "M4 16v-4l2-6h12l2 6v4H4Zm0-4h16M7 16v2.500M17 16v2.5",
  care: "M6 4.5 18 16M18 4.5 6 16M6 20a2.3 2.3 0 1 0 0-4.600A2.3 2.3 0 0 0 6 20Zm12 0a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600Z",
  civic: "M3 20h18M5 20V10M10 20V10M14 20V10M19 20V10M3 9.5 12 4l9 5.500H3Z",
  fun: "m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.900L12 16.900l-5.2 2.8 1-5.900L3.5 9.700l5.9-.8L12 3.500Z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5",
  close: "m6 6 12 12M18 6 6 18",
  back: "M14 5l-7 7 7 7M7 12h13",
  key: "M8 15.500a4.5 4.5 0 1 1 4.3-5.800L21 9.700v4h-3v2.600h-3.500v-2.600h-2.200A4.5 4.5 0 0 1 8 15.500ZM7.5 11h.01",
  sun: "M12 16.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2v2.500M12 19.500V22M2 12h2.500M19.5 12H22M5 5l1.8 1.800M17.2 17.2 19 19M19 5l-1.8 1.800M6.8 17.2 5 19",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500Z",
  locate: "M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM12 2v4M12 18v4M2 12h4M18 12h4M12 12h.01",
  pin: "M12 21.500c3-4.5 7-7.5 7-12a7 7 0 0 0-14 0c0 4.5 4 7.5 7 12ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  phone:
    "M6 3.5 9 4l1 4-2 1.500a11 11 0 0 0 6 6L15.5 13.500l4 1 .5 3c0 1.5-1 2.5-2.5 2.500C10 20 4 13.5 4 6c0-1.5.7-2.5 2-2.500Z",
  web: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9S9.5 5.5 12 3Z",
  external: "M14 4h6v6M20 4l-9 9M18 13.500V20H4V6h6.5",
  link: "M10 14a4 4 0 0 0 5.7 0l3.1-3.100a4 4 0 0 0-5.7-5.700l-1.2 1.200M14 10a4 4 0 0 0-5.7 0l-3.1 3.100a4 4 0 0 0 5.7 5.700l1.2-1.2",
  copy: "M9 9h11v11H9V9ZM5 15H4V4h11v1",
  code: "m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  down: "m6 9.5 6 6 6-6",
  alert: "M12 4 2.5 20h19L12 4ZM12 10v4.500M12 17.500h.01",
  nothing: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.500M8 10.500h5",
  area: "M4 6.5 9.5 4l5 2.500L20 4v13.500L14.5 20l-5-2.500L4 20V6.500ZM9.5 4v13.500M14.5 6.500V20",
  around:
    "M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  route: "M12 2.500 21.5 12 12 21.500 2.5 12 12 2.500ZM9 15v-3.500h5.500M12.5 9l2.5 2.500-2.5 2.500",
  share: "M12 15V3.500M8 7l4-4 4 4M6 11H4.500v9.500h15V11H18",
  box: "M7 5.500h10M7 18.500h10M5.5 7v10M18.5 7v10M4 4h3v3H4V4ZM17 4h3v3h-3V4ZM4 17h3v3H4v-3ZM17 17h3v3h-3v-3Z",
  compass: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM15.5 8.500l-2 5-5 2 2-5 5-2Z",
} as const satisfies Record<Look, string> & Record<string, string>;

export type IconName = keyof typeof PATHS;

/** A decorative icon next to a text; screen readers skip it. */
export const icon = (name: IconName, size = 20): SVGElement => drawIcon(PATHS[name], size);

const WIDTH = 120;
const HEIGHT = 100;

/**
 * An illustration in place of a photo: a house front in the colours of the category. The same seed gives the
 * same picture.
 */
export function drawPlace(look: Look, seed: string): SVGElement {
  const random = createRandom(seed);
  const sunX = random() < 0.5 ? 14 + random() * 22 : 84 + random() * 22;
  return svg(
    "svg",
    {
      class: `drawing look-${look}`,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "xMidYMax slice",
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("rect", { class: "sky", width: WIDTH, height: HEIGHT }),
    svg("circle", { class: "sun", cx: sunX, cy: 15 + random() * 12, r: 8 + random() * 5 }),
    ...drawRoofs(random),
    svg("path", { class: "front", d: "M18 44h84v56H18Z" }),
    ...drawWindows(random() < 0.5),
    ...drawAwning(),
    ...drawSign(look),
  );
}

/** The houses behind. */
function drawRoofs(random: () => number): SVGElement[] {
  const roofs: SVGElement[] = [];
  for (let x = -8; x < WIDTH;) {
    const width = 16 + random() * 18;
    const isNear = random() < 0.5;
    roofs.push(
      svg("rect", { class: isNear ? "roof near" : "roof", x, y: 30 + random() * 30, width, height: HEIGHT }),
    );
    x += width - 2;
  }
  return roofs;
}

function drawWindows(isMirrored: boolean): SVGElement[] {
  const [door, pane] = isMirrored ? [74, 26] : [28, 52];
  return [
    svg("rect", { class: "door", x: door, y: 70, width: 18, height: 30, rx: 2 }),
    svg("rect", { class: "pane", x: pane, y: 70, width: 40, height: 18, rx: 2 }),
  ];
}

const drawAwning = (): SVGElement[] =>
  [0, 1, 2, 3, 4, 5, 6].map((stripe) =>
    svg("path", {
      class: stripe % 2 ? "stripe pale" : "stripe",
      d: `M${18 + stripe * 12} 50h12v10a6 6 0 0 1-12 0Z`,
    }),
  );

function drawSign(look: Look): SVGElement[] {
  const glyph = icon(look);
  for (const [name, value] of Object.entries({ x: 49, y: 22, width: 22, height: 22 }))
    glyph.setAttribute(name, String(value));
  return [svg("circle", { class: "sign", cx: 60, cy: 33, r: 18 }), glyph];
}

/** Mulberry32 over a hash of the seed: even enough for pictures. */
function createRandom(seed: string): () => number {
  let state = 0;
  for (const letter of seed) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

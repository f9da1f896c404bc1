import type { Look } from "./kinds.ts";
import { icon } from "./icons.ts";
import { svg } from "./dom.ts";

/**
 * A picture that stands in for a photo: always the same for the same seed, in the colours of the kind of place. It shows a street front
 * under a sky, and pretends to be nothing else.
 */
export function drawPlace(look: Look, seed: string): SVGElement {
  const random = createRandom(seed);
  const hill = 46 + random() * 10;
  const sunX = 18 + random() * 84;
  const doorX = 34 + random() * 40;
  const glyph = icon(look);
  for (const [name, value] of Object.entries({ x: 44, y: 26, width: 32, height: 32 }))
    glyph.setAttribute(name, String(value));
  return svg(
    "svg",
    {
      class: `drawing look-${look}`,
      viewBox: "0 0 120 90",
      preserveAspectRatio: "xMidYMid slice",
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("rect", { class: "sky", width: 120, height: 90 }),
    svg("circle", { class: "sun", cx: sunX, cy: 16 + random() * 10, r: 9 + random() * 5 }),
    ...drawRoofs(random, hill),
    svg("rect", { class: "front", x: 14, y: 20, width: 92, height: 70, rx: 6 }),
    ...drawAwning(),
    svg("rect", { class: "door", x: doorX, y: 68, width: 13, height: 22, rx: 2 }),
    glyph,
  );
}

function drawRoofs(random: () => number, hill: number): SVGElement[] {
  return [0, 1, 2, 3, 4].map((place) =>
    svg("rect", {
      class: "roof",
      x: place * 26 - 6,
      y: hill - random() * 34,
      width: 22 + random() * 6,
      height: 90,
    }),
  );
}

const drawAwning = (): SVGElement[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((stripe) =>
    svg("path", {
      class: stripe % 2 ? "stripe" : "stripe pale",
      d: `M${12 + stripe * 12} 12h12v9a6 5 0 0 1-12 0Z`,
    }),
  );

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

import { svg } from "./dom.ts";
import { icon } from "./icons.ts";
import type { Look } from "./kinds.ts";

const WIDTH = 120;
const HEIGHT = 100;

/**
 * A picture that stands in for a photo: a house front under a sky, in the colours of the kind of place, always the same for the same
 * seed. It pretends to be nothing else.
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

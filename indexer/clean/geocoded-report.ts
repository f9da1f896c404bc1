import { formatCount } from "../../src/cli/format.ts";
import { POSITION_ESTIMATES, type PositionEstimate } from "../../src/place/document/place-document.ts";
import type { ImportTally } from "./import-tally.ts";

/** The places whose points were estimated from their addresses, as each report has them: their numbers, and the first ones. */
export function buildGeocoded({ estimates: { counts, examples } }: ImportTally) {
  const [house = 0, street = 0, ward = 0] = POSITION_ESTIMATES.map((from) => counts.get(from));
  return { total: house + street + ward, house, street, ward, places: examples };
}

/** How far off half of the estimates are at most (docs/decisions/0036-estimated-points.md). */
const ESTIMATED_FROM: Readonly<Record<PositionEstimate, string>> = {
  house: "other houses of the street (half within 100 m)",
  street: "the street (half within 300 m)",
  ward: "the ward (half within a kilometre)",
};

/** A metre. */
const SHOWN_DECIMALS = 5;

/** Together with the rest a page of a terminal; the JSON has more. */
const MAX_LINES = 15;

/** How many points were estimated, and the first of them; nothing without any. */
export function formatGeocoded({ total, places, ...counts }: ReturnType<typeof buildGeocoded>): string[] {
  if (total === 0) return [];
  const from = POSITION_ESTIMATES.filter((estimate) => counts[estimate] > 0);
  const lines = places.slice(0, MAX_LINES).map((place) => {
    const at = [place.latitude, place.longitude].map((degrees) => degrees.toFixed(SHOWN_DECIMALS)).join(", ");
    const { file, part, number, title, address } = place;
    return `  ${file}, ${part} ${number}: ${title}, ${address}: ${at} (${place.estimated_from})`;
  });
  return [
    `geocoded    ${formatCount(total, "place")} by address: ` +
      from.map((estimate) => `${formatCount(counts[estimate])} from ${ESTIMATED_FROM[estimate]}`).join(", "),
    ...lines,
    ...(total > MAX_LINES ? [`  … and ${formatCount(total - MAX_LINES)} more (--json has them)`] : []),
  ];
}

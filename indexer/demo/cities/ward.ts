import type { City, Flavour, WardRow } from "./city.ts";
import type { Plane } from "./plane.ts";

/** How built-up a place's surroundings are, or what its street is known for: it decides which kinds stand there. */
export type Zone = "centre" | "inner" | "outer" | "edge" | Exclude<Flavour, "">;

export interface Ward {
  /** As an address has it: "Phường Bến Thành", "Xã Bình Hưng". */
  readonly label: string;
  /** The name alone. */
  readonly name: string;
  readonly oldDistrict: string;
  readonly density: number;
  readonly surroundings: Zone;
}

/** The ward of any point of a city. */
export type WardAt = (latitude: number, longitude: number) => Ward;

function toWard([name, oldDistrict, , , , density]: WardRow): Ward {
  const hasPrefix = name.startsWith("Xã ") || name.startsWith("Đặc khu ");
  return {
    label: hasPrefix ? name : `Phường ${name}`,
    name: name.replace(/^(?:Xã|Đặc khu) /, ""),
    oldDistrict,
    density,
    surroundings: surroundingsOf(density),
  };
}

function surroundingsOf(density: number): Zone {
  if (density >= 7) return "centre";
  if (density >= 4) return "inner";
  return density >= 1.5 ? "outer" : "edge";
}

/** A ward with the row it comes from. */
export interface PlacedWard {
  readonly row: WardRow;
  readonly ward: Ward;
}

/** The wards of a city. */
export function wardsOf(city: City): PlacedWard[] {
  return city.wards.map((row) => ({ row, ward: toWard(row) }));
}

/** The nearest ward by its middle, counted in its own radii: without boundaries that is as near as one gets. */
export function createWardAt(wards: readonly PlacedWard[], plane: Plane): WardAt {
  return (latitude, longitude) => {
    let best: Ward | undefined;
    let bestScore = Number.POSITIVE_INFINITY;
    for (const { row, ward } of wards) {
      const [, , wardLatitude, wardLongitude, radius] = row;
      const north = (latitude - wardLatitude) * plane.metersPerLatitude;
      const east = (longitude - wardLongitude) * plane.metersPerLongitude;
      const score = (north * north + east * east) / (radius * radius);
      if (score >= bestScore) continue;
      bestScore = score;
      best = ward;
    }
    if (best === undefined) throw new Error("a city without wards");
    return best;
  };
}

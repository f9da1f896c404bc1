import { isCoordinates } from "../../src/place/coordinates.ts";
import type { CleanStep } from "./step.ts";

/** Two decimals are up to a kilometre, which is the next quarter. */
const FEW_DECIMALS_FACTOR = 100;

/**
 * Refuses coordinates that are no point of the Earth, and 0/0, the sea off Africa where lost coordinates go. A point of two
 * decimals or less is kept, and noted.
 */
export const checkCoordinates: CleanStep = (draft, { note }) => {
  const { latitude, longitude } = draft.location;
  const value = `${latitude}, ${longitude}`;
  if (Number.isNaN(latitude) || Number.isNaN(longitude))
    return { field: "location", reason: "not a number", value };
  if (!isCoordinates(draft.location)) {
    return { field: "location", reason: "outside latitude ±90 or longitude ±180", value };
  }
  if (latitude === 0 && longitude === 0)
    return { field: "location", reason: "0, 0 stands for no coordinates" };
  if (isRough(latitude) && isRough(longitude))
    note("location", "two decimals or less, up to a kilometre off");
  return draft;
};

/** The product of 10.77 and 100 is not quite 1077. */
const isRough = (degrees: number): boolean =>
  Math.round(degrees * FEW_DECIMALS_FACTOR) / FEW_DECIMALS_FACTOR === degrees;

import { isCoordinates } from "../../src/place/coordinates.ts";
import type { CleanStep } from "./step.ts";

/** Refuses coordinates that are no point of the Earth, and 0/0, the sea off Africa where lost coordinates go. */
export const checkCoordinates: CleanStep = (draft) => {
  const { latitude, longitude } = draft.location;
  const value = `${latitude}, ${longitude}`;
  if (Number.isNaN(latitude) || Number.isNaN(longitude))
    return { field: "location", reason: "not a number", value };
  if (!isCoordinates(draft.location)) {
    return { field: "location", reason: "outside latitude ±90 or longitude ±180", value };
  }
  return latitude === 0 && longitude === 0
    ? { field: "location", reason: "0, 0 stands for no coordinates" }
    : draft;
};

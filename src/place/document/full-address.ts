import type { PlaceDocument } from "./place-document.ts";

type Address = Pick<PlaceDocument["location"]["address"], "full" | "street" | "ward" | "city">;

/** The one-line address; where a place has none or only its street, the known parts, the narrow before the wide. */
export const fullAddress = ({ full, street, ward, city }: Address): string =>
  full === "" || full === street ? [street, ward, city].filter((part) => part !== "").join(", ") : full;

import { includeParts } from "../addresses/include-parts.ts";
import { parseVietnameseAddress } from "../addresses/vietnamese-address.ts";
import type { CleanStep } from "./step.ts";

/** Longer than any address: a text that slipped into the wrong column is not taken apart. */
const MAX_ADDRESS_LENGTH = 500;

/** In Viet Nam: the street, ward and city that only the one-line address tells. */
export const splitAddress: CleanStep = (draft) => {
  const { address, country_code: country } = draft.location;
  const isWhole = address.street !== "" && address.ward !== "" && address.city !== "";
  if (country !== "VN" || isWhole || address.full === "" || address.full.length > MAX_ADDRESS_LENGTH)
    return draft;
  const { street = "", ward = "", city = "" } = parseVietnameseAddress(address.full);
  const parts = { street: address.street || street, ward: address.ward || ward, city: address.city || city };
  return { ...draft, location: { ...draft.location, address: { ...address, ...parts } } };
};

/** The one-line address with all parts in it, for it is what is searched and shown; a country alone is no address. */
export const completeAddress: CleanStep = (draft) => {
  const { address } = draft.location;
  if (address.full.length > MAX_ADDRESS_LENGTH) return draft;
  const full = includeParts(address.full, address);
  return full === address.full
    ? draft
    : { ...draft, location: { ...draft.location, address: { ...address, full } } };
};

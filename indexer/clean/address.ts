import type { CleanStep } from "./step.ts";

/** The one-line address where the record brings parts only, in the Vietnamese order; a country alone is no address. */
export const completeAddress: CleanStep = (draft) => {
  const { address } = draft.location;
  const parts = [address.street, address.ward, address.city].filter((part) => part !== "");
  if (address.full !== "" || parts.length === 0) return draft;
  const full = [...new Set(parts)].join(", ");
  return { ...draft, location: { ...draft.location, address: { ...address, full } } };
};

import { dataIdIdentity } from "../place/data-id.ts";

/** A data id that leads to another place: the one that took over the record it was given to. */
export interface Redirect {
  /** Data ids in their canonical form. */
  readonly from: string;
  readonly to: string;
}

/**
 * A redirect as the engine keeps it, in the same index as the places, so that a swap changes both in one instant. Without card,
 * words and cells no search finds it, and whatever counts or reads places passes it over.
 */
export interface RedirectDocument {
  readonly id: string;
  /** The data id itself: for an import that gives a record of this identity the id that callers hold. */
  readonly data_id: string;
  /** The identity of the place it leads to. */
  readonly redirect_to: string;
}

export const toRedirectDocument = ({ from, to }: Redirect): RedirectDocument => ({
  id: dataIdIdentity(from),
  data_id: from,
  redirect_to: dataIdIdentity(to),
});

/** Tells the redirects among documents; for those that were asked for with this member. */
export const isRedirect = (document: object): document is RedirectDocument => "redirect_to" in document;

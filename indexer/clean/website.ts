import type { CleanStep } from "./step.ts";

/** `highlandscoffee.com.vn/stores`: a host with at least one dot, whose last part is letters, and perhaps a path. */
const BARE_ADDRESS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/** Keeps web addresses only: callers put them into links, where `javascript:` and the like would run. */
export const cleanWebsite: CleanStep = (draft, { note }) => {
  const { website } = draft.contacts;
  if (website === "") return draft;
  const address = toWebAddress(website);
  if (address === undefined) note("contacts.website", "not a web address, dropped");
  return { ...draft, contacts: { ...draft.contacts, website: address ?? "" } };
};

function toWebAddress(text: string): string | undefined {
  const withScheme = BARE_ADDRESS.test(text) ? `https://${text}` : text;
  const url = URL.parse(withScheme);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  return /\s/.test(withScheme) ? url.href : withScheme;
}

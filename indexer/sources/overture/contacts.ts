import type { PlaceDraft } from "../../place-draft.ts";
import { asText, readElements, type Members } from "../native/members.ts";

/** A page on Facebook stands in for a website, as most small businesses of Viet Nam have no other. */
const FACEBOOK_PAGE = /^https?:\/\/(?:[a-z-]{1,10}\.)?(?:facebook|fb)\.com\//i;

/** The first number and the first address; what else there is has no member in the document, and is counted. */
export function readContacts(record: Members): PlaceDraft["contacts"] {
  const [phone = "", ...morePhones] = readElements(record, "phones", asText);
  const [website, ...moreWebsites] = readElements(record, "websites", asText);
  const socials = readElements(record, "socials", asText);
  const page = website === undefined ? socials.find((social) => FACEBOOK_PAGE.test(social)) : undefined;
  noteLost(record, "phones", morePhones.length);
  noteLost(record, "websites", moreWebsites.length);
  noteLost(record, "socials", socials.length - (page === undefined ? 0 : 1));
  noteLost(record, "emails", readElements(record, "emails", asText).length);
  return { phone, website: website ?? page ?? "" };
}

function noteLost({ note }: Members, name: string, count: number): void {
  for (let index = 0; index < count; index += 1) note(`${name}[]`, "no member for it, dropped");
}

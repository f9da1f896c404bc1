import type { PlaceDraft } from "../../place-draft.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

const FACEBOOK = "https://www.facebook.com/";

/** A name on Facebook where the whole address was meant. */
const FACEBOOK_NAME = /^[\w.-]{3,80}$/;

const PHONE_KEYS = ["phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile"];

/** All numbers as they are written, and the first address of a place; a page on Facebook where it has no other. */
export function contactsOf(tags: OsmTags): PlaceDraft["contacts"] {
  const phone = tagOf(tags, ...PHONE_KEYS);
  const website = tagOf(tags, "website", "contact:website", "url", "contact:url") ?? facebookPage(tags);
  return { phone: phone ?? "", website: firstOf(website) };
}

function facebookPage(tags: OsmTags): string | undefined {
  const page = tagOf(tags, "contact:facebook", "facebook");
  return page !== undefined && FACEBOOK_NAME.test(page) && !page.includes(".com") ? FACEBOOK + page : page;
}

const firstOf = (list: string | undefined): string => list?.split(";")[0]?.trim() ?? "";

import type { PlaceDraft } from "../../place-draft.ts";
import { asText, readMember, type Members } from "../native/members.ts";

const FACEBOOK = "https://www.facebook.com/";

/** Their pages have no member in the document. */
const LOST_COLUMNS = ["email", "instagram", "twitter"];

/** The number and the website; the page on Facebook where there is no other. */
export function readContacts(record: Members): PlaceDraft["contacts"] {
  const part = (name: string): string => readMember(record, name, asText)?.trim() ?? "";
  const website = part("website");
  const facebookId = part("facebook_id");
  const page = /^\d+$/.test(facebookId) ? FACEBOOK + facebookId : "";
  for (const name of LOST_COLUMNS) if (part(name) !== "") record.note(name, "no member for it, dropped");
  if (website !== "" && page !== "") record.note("facebook_id", "no member for it, dropped");
  return { phone: part("tel"), website: website || page };
}

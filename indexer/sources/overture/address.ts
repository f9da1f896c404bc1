import type { PlaceDraft } from "../../place-draft.ts";
import { joinAddress, splitLocality } from "../address-parts.ts";
import { asText, readMember, readObjects, type Members } from "../native/members.ts";

interface OvertureAddress {
  readonly freeform: string;
  readonly locality: string;
  readonly region: string;
  readonly country: string;
  readonly postcode: string;
}

interface ReadAddress {
  readonly address: PlaceDraft["location"]["address"];
  readonly countryCode: string;
}

/** `VN-SG`: a code by ISO 3166-2, which nobody searches by. Some regions come as names. */
const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** The first address of a place; the country of any. */
export function readAddress(record: Members): ReadAddress {
  const addresses = readObjects(record, "addresses", readParts);
  const [first] = addresses;
  for (let index = 1; index < addresses.length; index += 1)
    record.note("addresses[]", "more than one, the first is used");
  const countryCode = addresses.find(({ country }) => COUNTRY_CODE.test(country))?.country ?? "";
  if (!first) return { address: { full: "", street: "", ward: "", city: "", country: "" }, countryCode };
  if (first.postcode !== "") record.note("addresses[].postcode", "no member for it, dropped");
  const region = REGION_CODE.test(first.region) ? "" : first.region;
  return { address: toAddress(first, region), countryCode };
}

function toAddress({ freeform, locality }: OvertureAddress, region: string): ReadAddress["address"] {
  return {
    full: joinAddress([freeform, locality, region]),
    street: freeform,
    ...splitLocality(locality, region),
    country: "",
  };
}

function readParts(address: Members): OvertureAddress {
  const part = (name: string): string => readMember(address, name, asText)?.trim() ?? "";
  return {
    freeform: part("freeform"),
    locality: part("locality"),
    region: part("region"),
    country: part("country").toUpperCase(),
    postcode: part("postcode"),
  };
}

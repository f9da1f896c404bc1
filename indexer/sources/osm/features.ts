import { emptyFeatures, featureSection } from "../../../src/place/feature-codes.ts";
import type { Features } from "../../../src/place/place-document.ts";
import { tagOf, type OsmTags } from "./osm-element.ts";

/** The tags that stand for a feature code, as `key=value`; `yes` also means `only`. */
const FEATURE_TAGS: Readonly<Record<string, string>> = {
  has_wheelchair_accessible_entrance: "wheelchair=yes wheelchair=designated",
  has_wheelchair_accessible_restroom: "toilets:wheelchair=yes wheelchair_toilet=yes wheelchair:toilet=yes",
  has_wheelchair_accessible_parking: "capacity:disabled=yes",
  has_tactile_paving: "tactile_paving=yes",
  has_hearing_loop: "hearing_loop=yes audio_loop=yes",
  has_parking_valet: "parking=valet",
  pay_cash: "payment:cash=yes payment:coins=yes payment:notes=yes",
  requires_cash_only: "payment:cash=only cash_only=yes",
  pay_credit_card:
    "payment:credit_cards=yes payment:cards=yes payment:visa=yes payment:mastercard=yes payment:jcb=yes payment:american_express=yes",
  pay_debit_card:
    "payment:debit_cards=yes payment:cards=yes payment:visa_debit=yes payment:maestro=yes payment:napas=yes",
  pay_contactless: "payment:contactless=yes",
  pay_mobile_nfc: "payment:apple_pay=yes payment:google_pay=yes payment:samsung_pay=yes payment:nfc=yes",
  pay_qr_code: "payment:qr_code=yes payment:vnpay=yes payment:vietqr=yes payment:qr=yes",
  pay_e_wallet:
    "payment:momo=yes payment:zalopay=yes payment:electronic_purses=yes payment:alipay=yes payment:wechat=yes",
  pay_bank_transfer: "payment:bank_transfer=yes payment:wire_transfer=yes",
  pay_check: "payment:cheque=yes payment:check=yes",
  pay_cryptocurrency: "payment:cryptocurrencies=yes payment:bitcoin=yes currency:XBT=yes",
  has_takeout: "takeaway=yes",
  has_delivery: "delivery=yes",
  serves_dine_in: "indoor_seating=yes dine_in=yes",
  has_seating_outdoors:
    "outdoor_seating=yes outdoor_seating=terrace outdoor_seating=garden outdoor_seating=sidewalk outdoor_seating=pedestrian_zone outdoor_seating=patio outdoor_seating=parklet",
  has_drive_through: "drive_through=yes drive_in=yes",
  has_self_service: "self_service=yes",
  has_home_service: "home_visit=yes",
  accepts_reservations: "reservation=yes reservation=recommended",
  requires_reservations: "reservation=required",
  serves_breakfast: "breakfast=yes",
  serves_brunch: "brunch=yes",
  serves_lunch: "lunch=yes lunch:buffet=yes",
  serves_dinner: "dinner=yes",
  serves_vegetarian: "diet:vegetarian=yes vegetarian=yes",
  serves_vegan: "diet:vegan=yes vegan=yes",
  serves_halal: "diet:halal=yes halal=yes",
  serves_kosher: "diet:kosher=yes",
  serves_gluten_free: "diet:gluten_free=yes",
  serves_organic: "organic=yes",
  serves_coffee: "drink:coffee=yes",
  serves_tea: "drink:tea=yes",
  serves_beer: "drink:beer=yes real_ale=yes",
  serves_wine: "drink:wine=yes",
  serves_liquor: "drink:liquor=yes drink:spirits=yes",
  serves_cocktails: "drink:cocktail=yes cocktails=yes",
  serves_alcohol: "alcohol=yes",
  has_seating_rooftop: "outdoor_seating=roof",
  has_bar_onsite: "bar=yes",
  has_restroom: "toilets=yes",
  has_restroom_unisex: "toilets:unisex=yes",
  has_restroom_public: "toilets:access=yes toilets:access=public",
  has_changing_table: "changing_table=yes diaper=yes",
  has_wi_fi: "internet_access=wlan internet_access=yes internet_access=wifi wifi=yes",
  has_free_wifi: "wifi=free",
  has_air_conditioning: "air_conditioning=yes",
  has_power_outlets: "socket=yes power_supply=yes",
  has_elevator: "elevator=yes",
  has_atm_onsite: "atm=yes",
  has_fireplace: "fireplace=yes",
  has_live_music: "live_music=yes",
  has_karaoke: "karaoke=yes",
  has_pool: "swimming_pool=yes",
  has_gym: "gym=yes",
  has_spa: "spa=yes",
  has_sauna: "sauna=yes",
  has_shower: "shower=yes",
  has_playground: "playground=yes kids_area=yes",
  has_high_chairs: "highchair=yes high_chair=yes",
  has_childrens_menu: "kids_menu=yes",
  has_smoking_area: "smoking=separated smoking=isolated smoking=outside smoking=dedicated",
  smoke_free: "smoking=no",
  welcomes_dogs: "dog=yes pets=yes pets_allowed=yes",
  allows_dogs_outside: "dog=outside",
};

/** `takeaway=yes` → the codes it stands for. */
const ENTRIES_OF_TAG = Map.groupBy(
  Object.entries(FEATURE_TAGS).flatMap(([code, tags]) => tags.split(" ").map((tag) => ({ tag, code }))),
  ({ tag }) => tag,
);

/** The feature codes that the tags stand for, each in its section. */
export function featuresOf(tags: OsmTags): Features {
  const codes = new Set(Object.entries(tags).flatMap(([key, value]) => codesOf(key, value)));
  if (codes.has("has_wi_fi") && tagOf(tags, "internet_access:fee") === "no") codes.add("has_free_wifi");
  const features = emptyFeatures();
  for (const code of codes) features[featureSection(code)].push(code);
  return features;
}

function codesOf(key: string, value: string): string[] {
  const tags = value === "only" ? [`${key}=only`, `${key}=yes`] : [`${key}=${value}`];
  return tags.flatMap((tag) => ENTRIES_OF_TAG.get(tag) ?? []).map(({ code }) => code);
}

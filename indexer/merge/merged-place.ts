import type { Features, PlaceDocument } from "../../src/place/place-document.ts";
import { fold } from "../../src/place/text/fold.ts";

/** How many fields of a place say something: the fuller of two records is the base of the merged one. */
export function countFilled(place: PlaceDocument): number {
  const { contacts, location, features } = place;
  const { street, ward, city, country } = location.address;
  const texts = [place.place_id ?? "", contacts.phone, contacts.website, street, ward, city, country];
  const lists: (readonly unknown[])[] = Object.values(features);
  lists.push(place.alternate_names, place.popular_times, place.review_list, place.photos);
  const isRated = place.reviews > 0 || place.rating > 0;
  const facts = [place.type !== "PLACE", isRated, place.pricing.max > 0, place.opening_hours !== null];
  const filled = [
    ...texts.map((text) => text !== ""),
    ...lists.map((list) => list.length > 0),
    ...facts,
    place.description !== "",
  ];
  return filled.filter(Boolean).length;
}

/**
 * One place of several records of it, the fullest first: that one is the base and keeps its data id, its title and its point;
 * what it lacks is taken from the next that has it. Fields that only make sense together are taken together.
 */
export const mergePlaces = ([base, ...others]: readonly [PlaceDocument, ...PlaceDocument[]]): PlaceDocument =>
  others.reduce(fillFrom, base);

function fillFrom(base: PlaceDocument, other: PlaceDocument): PlaceDocument {
  const placeId = base.place_id ?? other.place_id;
  const rated = base.rating > 0 || base.reviews > 0 ? base : other;
  return {
    ...base,
    ...(placeId !== undefined && { place_id: placeId }),
    alternate_names: uniteNames(base, other),
    type: base.type === "PLACE" ? other.type : base.type,
    rating: rated.rating,
    reviews: rated.reviews,
    pricing: base.pricing.max > 0 ? base.pricing : other.pricing,
    contacts: fillTexts(base.contacts, other.contacts),
    location: { ...base.location, address: mergeAddresses(base, other) },
    opening_hours: base.opening_hours ?? other.opening_hours,
    features: fillFeatures(base.features, other.features),
    description: base.description || other.description,
    popular_times: fullerList(base.popular_times, other.popular_times),
    review_list: fullerList(base.review_list, other.review_list),
    photos: fullerList(base.photos, other.photos),
  };
}

/** The title of the other is a name it is found by. Names that fold to the same are found by the same words. */
function uniteNames(base: PlaceDocument, other: PlaceDocument): string[] {
  const known = new Set([base.title, ...base.alternate_names].map(fold));
  const added: string[] = [];
  for (const name of [other.title, ...other.alternate_names]) {
    if (known.has(fold(name))) continue;
    known.add(fold(name));
    added.push(name);
  }
  return [...base.alternate_names, ...added];
}

/** The line of an address is made of its parts: the one that knows the street is the better whole. */
function mergeAddresses(base: PlaceDocument, other: PlaceDocument): PlaceDocument["location"]["address"] {
  const [one, two] = [base.location.address, other.location.address];
  return one.street === "" && two.street !== "" ? fillTexts(two, one) : fillTexts(one, two);
}

const fillTexts = <T extends Record<string, string>>(base: T, other: T): T =>
  Object.fromEntries(Object.entries(base).map(([key, text]) => [key, text || other[key]])) as T;

const fillFeatures = (base: Features, other: Features): Features => ({
  accessibility: fullerList(base.accessibility, other.accessibility),
  parking: fullerList(base.parking, other.parking),
  payments: fullerList(base.payments, other.payments),
  service_options: fullerList(base.service_options, other.service_options),
  other: fullerList(base.other, other.other),
});

const fullerList = <T>(base: T[], other: T[]): T[] => (base.length > 0 ? base : other);

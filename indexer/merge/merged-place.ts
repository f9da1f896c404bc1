import { readConfirmedOn } from "../clean/place-draft.ts";
import type { Features, PlaceDocument } from "../../src/place/document/place-document.ts";
import { fold } from "../../src/place/text/fold.ts";

/**
 * Counts the fields of a place that have content. The more complete of two records is the base of the merged
 * place.
 */
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
 * Merges records of one place, given the most complete first. That one is the base and keeps its data id,
 * title and point. A field that it lacks comes from the next record that has it. Fields that only make sense
 * together are taken together.
 */
export const mergePlaces = ([base, ...others]: readonly [PlaceDocument, ...PlaceDocument[]]): PlaceDocument =>
  others.reduce(fillFrom, base);

function fillFrom(base: PlaceDocument, other: PlaceDocument): PlaceDocument {
  const placeId = base.place_id ?? other.place_id;
  const rated = base.rating > 0 || base.reviews > 0 ? base : other;
  const { source_type: _, ...rest } = base;
  return {
    ...rest,
    ...(placeId !== undefined && { place_id: placeId }),
    alternate_names: uniteNames(base, other),
    ...(other.names && { names: { ...other.names, ...base.names } }),
    ...(other.custom && { custom: { ...other.custom, ...base.custom } }),
    ...typeOfBoth(base, other),
    rating: rated.rating,
    reviews: rated.reviews,
    pricing: base.pricing.max > 0 ? base.pricing : other.pricing,
    contacts: fillTexts(base.contacts, other.contacts),
    location: { ...base.location, address: mergeAddresses(base, other) },
    ...readConfirmedOn(
      [base.confirmed_on, other.confirmed_on]
        .flatMap((date) => date ?? [])
        .toSorted()
        .at(-1),
    ),
    opening_hours: base.opening_hours ?? other.opening_hours,
    features: fillFeatures(base.features, other.features),
    description: base.description || other.description,
    popular_times: fullerList(base.popular_times, other.popular_times),
    review_list: fullerList(base.review_list, other.review_list),
    photos: fullerList(base.photos, other.photos),
  };
}

/** A type that a source gave is better than one that was estimated where the base knew none. */
function typeOfBoth(base: PlaceDocument, other: PlaceDocument): Pick<PlaceDocument, "type" | "source_type"> {
  const isKnown = (base.source_type ?? base.type) !== "PLACE";
  const { type, source_type } = isKnown || other.type === "PLACE" ? base : other;
  return { type, ...(source_type !== undefined && { source_type }) };
}

/**
 * Adds the other record's title as a name. Names that are equal when folded are found by the same words, so
 * one is enough.
 */
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

/** The address line is made of its parts, so addresses are taken whole. One that has the street is better. */
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

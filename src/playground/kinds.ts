import { language } from "./texts.ts";

interface Words {
  readonly types: Readonly<
    Record<string, { readonly vi: string; readonly en: string; readonly parent?: string }>
  >;
  readonly features: Readonly<Record<string, { readonly vi: string; readonly en: string }>>;
}

let words: Words = { types: {}, features: {} };

/** Reads the names of types and features; without them, the page shows their codes. */
export async function readWords(): Promise<void> {
  const response = await fetch(new URL("../words.json", import.meta.url));
  if (response.ok) words = (await response.json()) as Words;
}

export function typeName(code: string): string {
  return words.types[code]?.[language] ?? toWords(code);
}

export function featureName(code: string): string {
  return words.features[code]?.[language] ?? toWords(code);
}

const toWords = (code: string): string => code.toLowerCase().replaceAll("_", " ");

/** The look of a place on the map: a few looks for several hundred types. */
export type Look =
  | "food"
  | "drink"
  | "shop"
  | "health"
  | "money"
  | "stay"
  | "learn"
  | "green"
  | "move"
  | "care"
  | "civic"
  | "fun";

const LOOKS: readonly (readonly [Look, RegExp])[] = [
  ["drink", /^(?:COFFEE|BUBBLE_TEA|TEA_HOUSE|JUICE_BAR|BAR|NIGHT_CLUB|KARAOKE)$/],
  ["food", /^(?:RESTAURANT|FOOD_COURT|CATERING|DESSERT_SHOP|BAKERY|CONFECTIONERY)$/],
  ["shop", /^(?:SHOP|WHOLESALER|PRINT_SHOP|PHOTO_STUDIO|TAILOR)$/],
  [
    "health",
    /^(?:HOSPITAL|CLINIC|PHYSIOTHERAPY|TRADITIONAL_MEDICINE|DENTIST|PHARMACY|LABORATORY|VACCINATION_CENTER|BLOOD_BANK|NURSING_HOME|VETERINARY_CLINIC)$/,
  ],
  ["money", /^(?:ATM|BANK|CURRENCY_EXCHANGE|MONEY_TRANSFER|PAWN_SHOP|INSURANCE_AGENCY)$/],
  ["stay", /^(?:LODGING|APARTMENT_BUILDING|RESIDENTIAL_AREA|STUDENT_DORMITORY)$/],
  ["learn", /^(?:.*SCHOOL|KINDERGARTEN|COLLEGE|UNIVERSITY|TUTORING_CENTER|LIBRARY|RESEARCH_INSTITUTE)$/],
  ["green", /^(?:PARK|PLAYGROUND|NATURE|FARM|FISHING_SPOT|GOLF_COURSE|SQUARE)$/],
  [
    "move",
    /^(?:GAS_STATION|CHARGING_STATION|PARKING|.*_RENTAL|TAXI_SERVICE|BUS_.*|TRAIN_STATION|METRO_STATION|AIRPORT|FERRY_TERMINAL|PORT|MOTORCYCLE_REPAIR|CAR_.*|REST_AREA|BRIDGE)$/,
  ],
  ["care", /^(?:HAIR_SALON|NAIL_SALON|BEAUTY_SALON|SPA|TATTOO_SHOP|LAUNDRY|CLEANING_SERVICE)$/],
  [
    "fun",
    /^(?:TOURIST_.*|ART_GALLERY|CINEMA|THEATER|CONCERT_HALL|ARCADE|CASINO|BOWLING_ALLEY|BILLIARDS|GYM|YOGA_STUDIO|SPORTS_CENTER|HORSE_RIDING|DIVING_CENTER|STADIUM|EVENT_VENUE|SOCIAL_CLUB)$/,
  ],
];

/** The look of a type, from the broadest type it belongs to. */
export function lookOf(code: string): Look {
  const root = rootOf(code);
  return LOOKS.find(([, roots]) => roots.test(root))?.[0] ?? "civic";
}

/** The type table is not deep; this bound protects against a cycle in it. */
const MAX_DEPTH = 8;

function rootOf(code: string, depth = 0): string {
  const parent = words.types[code]?.parent;
  return parent === undefined || depth === MAX_DEPTH ? code : rootOf(parent, depth + 1);
}

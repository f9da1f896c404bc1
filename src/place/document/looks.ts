import { isTypeCode, kindsInUse, TYPE_CODES, type TypeCode } from "./type-codes.ts";

/** How kinds look on a map: a few looks, each with a colour and a picture, for several hundred kinds. */
const LOOKS = {
  drink: /^(?:COFFEE|BUBBLE_TEA|TEA_HOUSE|JUICE_BAR|BAR|NIGHT_CLUB|KARAOKE)$/,
  food: /^(?:RESTAURANT|FOOD_COURT|CATERING|DESSERT_SHOP|BAKERY|CONFECTIONERY)$/,
  shop: /^(?:SHOP|WHOLESALER|PRINT_SHOP|PHOTO_STUDIO|TAILOR)$/,
  health:
    /^(?:HOSPITAL|CLINIC|PHYSIOTHERAPY|TRADITIONAL_MEDICINE|DENTIST|PHARMACY|LABORATORY|VACCINATION_CENTER|BLOOD_BANK|NURSING_HOME|VETERINARY_CLINIC)$/,
  money: /^(?:ATM|BANK|CURRENCY_EXCHANGE|MONEY_TRANSFER|PAWN_SHOP|INSURANCE_AGENCY)$/,
  stay: /^(?:LODGING|APARTMENT_BUILDING|RESIDENTIAL_AREA|STUDENT_DORMITORY)$/,
  learn: /^(?:.*SCHOOL|KINDERGARTEN|COLLEGE|UNIVERSITY|TUTORING_CENTER|LIBRARY|RESEARCH_INSTITUTE)$/,
  green: /^(?:PARK|PLAYGROUND|NATURE|FARM|FISHING_SPOT|GOLF_COURSE|SQUARE)$/,
  move: /^(?:GAS_STATION|CHARGING_STATION|PARKING|.*_RENTAL|TAXI_SERVICE|BUS_.*|TRAIN_STATION|METRO_STATION|AIRPORT|FERRY_TERMINAL|PORT|MOTORCYCLE_REPAIR|CAR_.*|REST_AREA|BRIDGE)$/,
  care: /^(?:HAIR_SALON|NAIL_SALON|BEAUTY_SALON|SPA|TATTOO_SHOP|LAUNDRY|CLEANING_SERVICE)$/,
  fun: /^(?:TOURIST_.*|ART_GALLERY|CINEMA|THEATER|CONCERT_HALL|ARCADE|CASINO|BOWLING_ALLEY|BILLIARDS|GYM|YOGA_STUDIO|SPORTS_CENTER|HORSE_RIDING|DIVING_CENTER|STADIUM|EVENT_VENUE|SOCIAL_CLUB)$/,
} as const;

export type Look = keyof typeof LOOKS | "civic";

/** All others: offices, temples, cemeteries. */
const OTHER: Look = "civic";

export const LOOK_NAMES: readonly Look[] = [...(Object.keys(LOOKS) as (keyof typeof LOOKS)[]), OTHER];

const isLook = (icon: string): icon is Look => (LOOK_NAMES as readonly string[]).includes(icon);

/** How a kind is drawn. */
export interface Drawn {
  /** The picture: the name of a look, or an emoji of the data team. */
  readonly icon: string;
  /** Gives the colour and the picture where there is none of the data team. */
  readonly look: Look;
  /** `#rrggbb`, where the data team chose one. */
  readonly colour?: string;
}

/** How a type is drawn: as its own kind says, else as the kind above it, else by its broadest type. */
export function drawnAs(code: string): Drawn {
  const own = kindsInUse().find((kind) => kind.code === code);
  const parent = isTypeCode(code) ? TYPE_CODES[code as TypeCode].parent : undefined;
  const above: Drawn =
    parent === undefined ? { icon: lookOfRoot(code), look: lookOfRoot(code) } : drawnAs(parent);
  if (own === undefined) return above;
  const { icon = above.icon, colour = above.colour } = own;
  return { icon, look: isLook(icon) ? icon : above.look, ...(colour !== undefined && { colour }) };
}

const lookOfRoot = (code: string): Look =>
  (Object.keys(LOOKS) as (keyof typeof LOOKS)[]).find((look) => LOOKS[look].test(code)) ?? OTHER;

/** One emoji, of however many code points. */
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Whether a map can draw it. */
export const isIcon = (text: string): boolean => isLook(text) || EMOJI.test(text);

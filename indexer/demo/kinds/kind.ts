import type { TypeCode } from "../../../src/place/type-codes.ts";
import type { Zone } from "../cities/ward.ts";
import type { Region } from "../cities/city.ts";
import type { FeatureProfile } from "../feature-profiles.ts";
import type { HoursName } from "../opening-hours-tables.ts";
import type { BusyName } from "../popular-times.ts";
import type { Topic } from "../reviews/remarks.ts";

/** What places of one kind have in common. Several kinds may share a type code. */
export interface Kind {
  readonly type: TypeCode;
  /** How many of a thousand places in an ordinary quarter are of this kind; 0 for kinds that only landmarks have. */
  readonly weight: number;
  /** Patterns of names, see `names/phrase.ts`. */
  readonly names: readonly string[];
  /** The share of branches of a chain, 0 when left out. */
  readonly brandShare?: number;
  /** Patterns of the names of branches; the usual ones when left out. */
  readonly branchNames?: readonly string[];
  /** What a guest pays, from and to, in thousands of VND. */
  readonly prices?: readonly (readonly [number, number])[];
  readonly hours: HoursName;
  /** The share of places whose hours nobody has noted. */
  readonly unknownHours?: number;
  readonly busy?: BusyName;
  readonly features: FeatureProfile;
  readonly topic: Topic;
  /** What is added to the usual rating: people are hard on banks and kind to barbers. */
  readonly mood?: number;
  /** The share that nobody has rated yet. */
  readonly unrated?: number;
  /** How many reviews such a place has, compared with the usual. */
  readonly fame?: number;
  /** True for what never lies in a lane: banks, petrol stations, supermarkets. */
  readonly needsFront?: boolean;
  /** True where nobody answers a phone: cash machines, parks, bus stops. */
  readonly isUnstaffed?: boolean;
  /** How much more often than usual it is found in such surroundings. In a shopping centre is only what says so. */
  readonly near?: Partial<Record<Zone, number>>;
  readonly regions?: Partial<Record<Region, number>>;
  readonly descriptions?: readonly string[];
}

/** Kinds by their names in the catalogue. */
export type Kinds = Readonly<Record<string, Kind>>;

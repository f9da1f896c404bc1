/** What a key may be used for: one scope for each operation. */
export const SCOPES = ["search", "place", "autocomplete"] as const;

export type Scope = (typeof SCOPES)[number];

/** How many requests a caller may make. */
export interface CallerLimits {
  readonly perMinute: number;
  /** 0 means no limit for the day. */
  readonly perDay: number;
}

/** Who holds the key of a request. `callerId` is a hash or the public part of the key; nothing here opens anything. */
export interface Caller {
  readonly callerId: string;
  readonly limits: CallerLimits;
  readonly scopes: ReadonlySet<Scope>;
}

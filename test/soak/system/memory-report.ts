/** What a server says of itself once a second. */
export interface MemoryReport {
  readonly rssBytes: number;
  /** The heap right after a collection of garbage; there every fifteen seconds. */
  readonly keptBytes?: number;
}

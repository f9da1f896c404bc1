/** What a server says of itself once a second. */
export interface MemoryReport {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** What it took to put a gazetteer into one system. */
export interface BuildResult {
  readonly seconds: number;
  /** On disk, once it was built. */
  readonly bytes: number;
}

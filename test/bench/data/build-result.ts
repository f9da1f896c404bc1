/** What a build is told. */
export interface BuildOptions {
  /** The native JSON lines of the gazetteer. */
  readonly file: string;
  /** Empty; all that is built goes there. */
  readonly folder: string;
  /** Gives up; what was built so far is of no use. */
  readonly signal: AbortSignal;
}

/** What it took to put a gazetteer into one system. */
export interface BuildResult {
  readonly seconds: number;
  /** On disk, once it was built. */
  readonly bytes: number;
}

/** One call as plain data, so that it can be handed to the process that makes the load. */
export type Call = HttpCall | ClientCall | SqlCall;

export interface HttpCall {
  readonly via: "http";
  readonly path: string;
  /** JSON to POST; a GET without it. */
  readonly body?: string;
}

/** A call of the stock meilisearch client: a search, or a document by its id. */
export type ClientCall =
  | { readonly via: "client"; readonly query: string; readonly options: Readonly<Record<string, unknown>> }
  | { readonly via: "client"; readonly documentId: string };

/** The first column of the rows is the JSON of a place. */
export interface SqlCall {
  readonly via: "sql";
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** Whom the calls go to. */
export type Target = HttpTarget | ClientTarget | SqlTarget;

export interface HttpTarget {
  readonly via: "http";
  readonly origin: string;
  /** Used in turn, one set of headers for each request: callers with keys of their own. */
  readonly headers: readonly Readonly<Record<string, string>>[];
}

export interface ClientTarget {
  readonly via: "client";
  readonly url: string;
  readonly key: string | undefined;
  readonly index: string;
  /** Whether answers are compressed, as Node's fetch asks for when it is not told otherwise. */
  readonly compressed: boolean;
}

export interface SqlTarget {
  readonly via: "sql";
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

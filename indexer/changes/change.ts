import type { PlaceDocument } from "../../src/place/place-document.ts";

/** What is to become of one place. Its identity is the second half of its data id (`dataIdIdentity`). */
export type Change = {
  readonly identity: string;
  /** About how much memory it takes. */
  readonly bytes: number;
} & (
  | {
      readonly place: PlaceDocument;
      /** Whether its data id was made here: then the index may know the place under another one. */
      readonly hasMadeId: boolean;
    }
  | {
      /** A place to remove, as the person named it. */
      readonly deleted: string;
    }
);

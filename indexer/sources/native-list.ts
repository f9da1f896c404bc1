import { isRejection } from "../place-draft.ts";
import { readJsonList, TOP_LIST } from "./json-list.ts";
import { toNativeDraft } from "./native/native-place.ts";
import type { ReadSource } from "./source.ts";

/** Native records as the elements of one JSON list: `[…]`, or `{"<member>": […]}`. */
export function createNativeListReader(member: string | typeof TOP_LIST): ReadSource {
  return async function* readNativeList(input, { note }) {
    let number = 0;
    for await (const record of readJsonList(input, member)) {
      number += 1;
      const position = { file: input.name, part: "element", number } as const;
      const draft = toNativeDraft(record, note);
      yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
    }
  };
}

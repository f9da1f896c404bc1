import type { CleanStep } from "./step.ts";

/** The longest names of real places have about 200 characters; more is a text that slipped into the wrong column. */
const MAX_TITLE_LENGTH = 500;

/** Refuses a place without a name; other names come once each, and never repeat the title. */
export const cleanNames: CleanStep = (draft) => {
  const { title } = draft;
  if (title === "") return { field: "title", reason: "empty" };
  if (title.length > MAX_TITLE_LENGTH)
    return { field: "title", reason: `longer than ${MAX_TITLE_LENGTH} characters`, value: title };
  const others = new Set(
    draft.alternate_names.filter((name) => name !== "" && name.length <= MAX_TITLE_LENGTH),
  );
  others.delete(title);
  return { ...draft, alternate_names: [...others] };
};

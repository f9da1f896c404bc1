import * as v from "valibot";

/**
 * Checks the content of a data file against its schema and returns it. `file` is the path from the root of the project. Throws
 * an Error with one line for each fault: the file, the row, the field and what is wrong.
 */
export function readTable<const Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  content: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, content);
  if (result.success) return result.output;
  throw new Error(
    result.issues.map((issue) => [file, ...placeOf(issue), issue.message].join(": ")).join("\n"),
  );
}

/** Text of a data file: not empty, without spaces at its ends, and in composed Unicode, so that equal texts are equal. */
export const textSchema = v.pipe(
  v.string(),
  v.check(
    (text) => text !== "" && text.trim().normalize("NFC") === text,
    "must be text in composed Unicode (NFC), not empty, without spaces at its ends",
  ),
);

/** `["PHO", "words", "row 2"]`: keys as they are, and elements of lists counted from 1 as people count. */
function placeOf(issue: v.BaseIssue<unknown>): string[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === "number" ? `row ${key + 1}` : String(key)));
}

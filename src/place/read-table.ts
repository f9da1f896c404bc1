import * as v from "valibot";

/**
 * Checks the content of a data file against its schema and returns it. `file` is the path from the project's
 * root.
 * @throws {Error} with one line per fault: the file, the row, the field and what is wrong.
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

/**
 * Text in a data file: not empty, no spaces at its ends, in composed Unicode so that equal texts compare
 * equal.
 */
export const textSchema = v.pipe(
  v.string(),
  v.check(
    (text) => text !== "" && text.trim().normalize("NFC") === text,
    "must be text in composed Unicode (NFC), not empty, without spaces at its ends",
  ),
);

/** `["PHO", "words", "row 2"]`: keys as they are, list elements counted from 1. */
function placeOf(issue: v.BaseIssue<unknown>): string[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === "number" ? `row ${key + 1}` : String(key)));
}

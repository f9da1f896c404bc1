import type { NoteField } from "../clean/place-draft.ts";

/** The fields of one object of a record, with its path for the report. */
export interface RecordFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly note: NoteField;
}

/** Reads a value of one form; `undefined` for a value of another form. */
export type ReadValue<T> = (value: unknown) => T | undefined;

/**
 * Reads one optional field. A missing field and null mean unknown. So does a value of another form, which is
 * noted.
 */
export function readField<T>(fields: RecordFields, name: string, read: ReadValue<T>): T | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  const known = read(value);
  if (known === undefined) fields.note(fields.path + name, "not of the documented form", value);
  return known;
}

/** The value of the first name that has one. An empty text counts as no value. */
export function readFirst<T>(
  fields: RecordFields,
  names: readonly string[],
  read: ReadValue<T>,
): T | undefined {
  for (const name of names) {
    const value = fields.values[name] === "" ? undefined : readField(fields, name, read);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Reads the fields of a nested object; empty when it is missing or not an object. */
export function readObject(fields: RecordFields, name: string): RecordFields {
  const values = readField(fields, name, asObject) ?? {};
  return { values, path: `${fields.path}${name}.`, note: fields.note };
}

/**
 * Reads the elements of a list of objects with `read`. Elements that are not objects, or that `read` rejects,
 * are noted.
 */
export function readObjects<T>(
  fields: RecordFields,
  name: string,
  read: (element: RecordFields) => T | undefined,
): T[] {
  const path = `${fields.path}${name}[].`;
  return readElements(fields, name, (element) => {
    const values = asObject(element);
    return values && read({ values, path, note: fields.note });
  });
}

/** Reads the elements of a list. Elements of another form are noted. */
export function readElements<T>(fields: RecordFields, name: string, read: ReadValue<T>): T[] {
  const found: T[] = [];
  for (const element of readField(fields, name, asList) ?? []) {
    const known = read(element);
    if (known === undefined) fields.note(`${fields.path}${name}[]`, "not of the documented form", element);
    else found.push(known);
  }
  return found;
}

/** Notes each field that the format does not have. */
export function noteUnknownFields(fields: RecordFields, known: ReadonlySet<string>): void {
  for (const name of Object.keys(fields.values)) {
    if (!known.has(name)) fields.note(fields.path + name, "unknown field, ignored");
  }
}

const COUNTRY_CODE = /^[a-z]{2}$/i;

/** The text if it has the form of a country code, else an empty one. */
export const toCountryCode = (text: string): string => (COUNTRY_CODE.test(text) ? text : "");

export const asText: ReadValue<string> = (value) => (typeof value === "string" ? value : undefined);

export const asList: ReadValue<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);

export const asObject: ReadValue<Record<string, unknown>> = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

/** The date of an ISO 8601 date or date and time. */
export const asDate: ReadValue<string> = (value) => {
  const date = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(typeof value === "string" ? value.trim() : "")?.[0];
  try {
    return date === undefined ? undefined : Temporal.PlainDate.from(date).toString();
  } catch {
    return undefined;
  }
};

/** A number within the limits, both included. */
export const asNumber =
  (min: number, max: number): ReadValue<number> =>
  (value) =>
    typeof value === "number" && value >= min && value <= max ? value : undefined;

/** A whole number within the limits, both included. */
export const asWholeNumber =
  (min: number, max: number): ReadValue<number> =>
  (value) =>
    Number.isSafeInteger(value) ? asNumber(min, max)(value) : undefined;

import type { NoteField } from "../../clean/place-draft.ts";

/** The members of one object of a record, with the path that names them in the report. */
export interface Members {
  readonly values: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly note: NoteField;
}

/** Reads a value of the form it stands for; `undefined` for a value of another form. */
export type ReadValue<T> = (value: unknown) => T | undefined;

/**
 * One optional member. Absent and null mean unknown; a value of another form is noted and means unknown too.
 */
export function readMember<T>(members: Members, name: string, read: ReadValue<T>): T | undefined {
  const value = members.values[name];
  if (value === undefined || value === null) return undefined;
  const known = read(value);
  if (known === undefined) members.note(members.path + name, "not of the documented form", value);
  return known;
}

/** The members of an object one level down; none when it is absent or no object. */
export function readObject(members: Members, name: string): Members {
  const values = readMember(members, name, asObject) ?? {};
  return { values, path: `${members.path}${name}.`, note: members.note };
}

/**
 * The elements of a list that `read` makes something of; the others are noted. `read` gets the members of an element, which
 * must be an object.
 */
export function readObjects<T>(
  members: Members,
  name: string,
  read: (element: Members) => T | undefined,
): T[] {
  const path = `${members.path}${name}[].`;
  return readElements(members, name, (element) => {
    const values = asObject(element);
    return values && read({ values, path, note: members.note });
  });
}

/** The elements of a list that have the wanted form; the others are noted. */
export function readElements<T>(members: Members, name: string, read: ReadValue<T>): T[] {
  const found: T[] = [];
  for (const element of readMember(members, name, asList) ?? []) {
    const known = read(element);
    if (known === undefined) members.note(`${members.path}${name}[]`, "not of the documented form", element);
    else found.push(known);
  }
  return found;
}

/** Notes each member whose name the format does not know. */
export function noteUnknownMembers(members: Members, known: ReadonlySet<string>): void {
  for (const name of Object.keys(members.values)) {
    if (!known.has(name)) members.note(members.path + name, "unknown member, ignored");
  }
}

export const asText: ReadValue<string> = (value) => (typeof value === "string" ? value : undefined);

export const asList: ReadValue<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);

export const asObject: ReadValue<Record<string, unknown>> = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

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

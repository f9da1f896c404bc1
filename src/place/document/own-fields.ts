import * as v from "valibot";
import { shortHash } from "../text/short-hash.ts";

/** Fields of a data team's own (`custom`): what a record may hold, and which of them filter and are searched. */

/** As many as a table that people keep has; each filter costs the engine room. */
export const MAX_FIELDS = 32;

const MAX_TEXT = 1_000;
const MAX_LIST = 50;

export const fieldNameSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z\d_]{0,39}$/, "is not written like opened_on"),
);

const scalarSchema = v.union([v.pipe(v.string(), v.maxLength(MAX_TEXT)), v.number(), v.boolean()]);

export const customValueSchema = v.union([
  scalarSchema,
  v.pipe(v.array(scalarSchema), v.maxLength(MAX_LIST)),
]);

export type CustomValue = v.InferOutput<typeof customValueSchema>;

export const customSchema = v.pipe(
  v.record(fieldNameSchema, customValueSchema),
  v.check((fields) => Object.keys(fields).length <= MAX_FIELDS, `has more than ${MAX_FIELDS} fields`),
);

export type Custom = v.InferOutput<typeof customSchema>;

const FIELD_TYPES = ["text", "list", "number", "boolean", "date"] as const;

/** A field that a file declares (`fields.csv`), which belongs to an index. */
export const ownFieldSchema = v.object({
  name: fieldNameSchema,
  type: v.picklist(FIELD_TYPES),
  filter: v.boolean(),
  /** Only texts and lists. */
  searched: v.boolean(),
});

export type OwnField = v.InferOutput<typeof ownFieldSchema>;

let inUse: ReadonlyMap<string, OwnField> = new Map();

/** The declared fields that are in use, by their names. */
export const fieldsInUse = (): ReadonlyMap<string, OwnField> => inUse;

/** Makes the declared fields of an index those of this process, as `useKinds` does for kinds. */
export function useFields(fields: readonly OwnField[]): void {
  inUse = new Map(fields.map((field) => [field.name, field]));
}

/** Whether searches also look into fields of one's own. */
export const hasSearchedFields = (): boolean => inUse.values().some(({ searched }) => searched);

const MS_PER_DAY = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Days since 1970 of an ISO date; NaN for anything else. */
export const toDayNumber = (text: string): number =>
  DATE.test(text) ? Date.parse(text) / MS_PER_DAY : Number.NaN;

/** Longer values of a filter would not fit into the engine's keys. */
const MAX_VALUE = 150;
const HASH_LETTERS = 8;

/** A text as filters compare it: in any letter case, with its marks; without characters that a filter would have to escape. */
function toFiledText(text: string): string {
  const plain = text.trim().normalize("NFC").toLowerCase();
  const filed = encodeURIComponent(plain.toWellFormed());
  return filed.length <= MAX_VALUE ? filed : filed.slice(0, MAX_VALUE) + shortHash(plain, HASH_LETTERS);
}

/** How a text, a part of a list or a boolean of a field is filed. */
const toFiledValue = (name: string, value: string | number | boolean): string =>
  `${name}=${toFiledText(String(value))}`;

/** The number by which a number or a date is compared; NaN where the value is neither. */
const toNumber = ({ type }: OwnField, value: CustomValue): number => {
  if (type === "number") return typeof value === "number" ? value : Number.NaN;
  return typeof value === "string" ? toDayNumber(value) : Number.NaN;
};

const isCompared = ({ type }: OwnField): boolean => type === "number" || type === "date";

/** What an index files of a place, by the declared fields in use. */
export interface FiledCustom {
  readonly values: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  /** What is searched. */
  readonly texts: readonly string[];
}

export function fileCustom(custom: Custom | undefined): FiledCustom {
  if (custom === undefined) return NOTHING_FILED;
  const known = Object.entries(custom).flatMap(([name, value]) => {
    const field = inUse.get(name);
    return field ? [{ field, value, parts: Array.isArray(value) ? value : [value as string] }] : [];
  });
  const filtered = known.filter(({ field }) => field.filter);
  return {
    values: filtered
      .filter(({ field }) => !isCompared(field))
      .flatMap(({ field, parts }) => parts.map((part) => toFiledValue(field.name, part))),
    numbers: Object.fromEntries(
      filtered
        .filter(({ field, value }) => isCompared(field) && Number.isFinite(toNumber(field, value)))
        .map(({ field, value }) => [field.name, toNumber(field, value)]),
    ),
    texts: known.filter(({ field }) => field.searched).flatMap(({ parts }) => parts.map(String)),
  };
}

const NOTHING_FILED: FiledCustom = { values: [], numbers: {}, texts: [] };

/** What a place must have: one of these filed values, or a number in a range. */
export type CustomCondition =
  | { readonly values: readonly string[] }
  | { readonly number: string; readonly min?: number; readonly max?: number };

/** Why a condition cannot be read. */
export interface UnreadCondition {
  readonly problem: string;
}

const CONDITION = /^(?<name>[a-z][a-z\d_]*)(?<operator>>=|<=|=)(?<value>.+)$/s;

/** Reads a condition: `floor>=3`, `vegan=true`, `brand=Mây,Gió` (one of them), `opened_on<=2026-01-31`. */
export function parseCondition(text: string): CustomCondition | UnreadCondition {
  const { name = "", operator, value = "" } = CONDITION.exec(text)?.groups ?? {};
  if (operator === undefined)
    return {
      problem: `must be written name=value, name>=number or name<=number, not ${JSON.stringify(text)}`,
    };
  const field = inUse.get(name);
  if (!field?.filter) return { problem: `has no filter "${name}"; ${describeFilters()}` };
  if (isCompared(field)) {
    const number = field.type === "number" ? Number(value) : toDayNumber(value);
    if (!Number.isFinite(number))
      return { problem: `needs a ${field.type} for ${name}, not ${JSON.stringify(value)}` };
    return {
      number: name,
      ...(operator !== "<=" && { min: number }),
      ...(operator !== ">=" && { max: number }),
    };
  }
  if (operator !== "=") return { problem: `compares ${name} with = only: it is a ${field.type}` };
  const values = value.split(",").filter((one) => one !== "");
  if (field.type === "boolean" && !values.every((one) => one === "true" || one === "false"))
    return { problem: `needs true or false for ${name}, not ${JSON.stringify(value)}` };
  return { values: values.map((one) => toFiledValue(name, one)) };
}

function describeFilters(): string {
  const filters = [...inUse.values()].filter(({ filter }) => filter);
  if (filters.length === 0) return "this dataset declares none";
  return `this dataset has ${filters.map(({ name, type }) => `${name} (${type})`).join(", ")}`;
}

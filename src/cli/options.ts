import { InvalidArgumentError } from "commander";

const LARGEST = 999_999_999;

/** Parses an option that is a whole number. The parser throws `InvalidArgumentError` for anything else. */
export const wholeNumber =
  (min: number, max = LARGEST) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      max === LARGEST
        ? `It must be a whole number of ${min} or more.`
        : `It must be a whole number from ${min} to ${max}.`,
    );
  };

/** Parses an option that is a list of `what`; the parser throws `InvalidArgumentError` for an element that is none. */
export const listOf =
  (isElement: (text: string) => boolean, what: string) =>
  (text: string): string[] => {
    const given = [...new Set(text.split(",").map((element) => element.trim()))];
    if (given.every(isElement)) return given;
    throw new InvalidArgumentError(`It must be a list of ${what}, separated by commas.`);
  };

/**
 * Parses an option that is a list such as `search,place`; the names come in the order of `known`. The parser throws
 * `InvalidArgumentError` for a name that is not known.
 */
export const namesOf =
  <Name extends string>(known: readonly Name[]) =>
  (text: string): Name[] => {
    const given = text.split(",").map((name) => name.trim());
    const unknown = given.find((name) => !known.some((other) => other === name));
    if (unknown === undefined) return known.filter((name) => given.includes(name));
    throw new InvalidArgumentError(
      `There is no "${unknown}". Choose from ${known.join(", ")}, separated by commas.`,
    );
  };

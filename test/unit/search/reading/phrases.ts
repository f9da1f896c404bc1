import { readFileSync, writeFileSync } from "node:fs";

/** Set to `write`, the run records how each phrase is read instead of comparing with the record. Read the differences. */
export const isRewriting = process.env["PHRASES"] === "write";

/** A line of a file. */
export interface Phrase {
  /** Where the caller is: HN or SG. */
  readonly caller: string;
  readonly text: string;
  /** How it was read when it was recorded. */
  readonly readings: string;
}

const isRow = (line: string): boolean => line !== "" && !line.startsWith("#") && !line.startsWith("caller;");

const toPhrase = (line: string): Phrase => {
  const [caller = "", text = "", readings = ""] = line.split(";");
  return { caller, text, readings };
};

/** The phrases of a file, in its order. */
export const readPhrases = (file: URL): Phrase[] =>
  readFileSync(file, "utf8").split("\n").filter(isRow).map(toPhrase);

/** Records how the phrases of a file are read now. */
export function rewritePhrases(file: URL, toReadings: (phrase: Phrase) => string): void {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => {
      if (!isRow(line)) return line;
      const phrase = toPhrase(line);
      return [phrase.caller, phrase.text, toReadings(phrase)].join(";");
    });
  writeFileSync(file, lines.join("\n"));
}

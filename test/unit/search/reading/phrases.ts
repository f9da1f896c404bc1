import { readFileSync, writeFileSync } from "node:fs";

/** Set to `write`, the run records how each phrase is read instead of comparing with the record. Read the differences. */
export const isRewriting = process.env["PHRASES"] === "write";

interface Phrase {
  /** Where the caller is: HN or SG. */
  readonly caller: string;
  readonly text: string;
  /** How it was read when it was recorded. */
  readonly readings: string;
}

const isRow = (line: string): boolean => line !== "" && !line.startsWith("#") && !line.startsWith("caller;");

/** The phrases of a file, in its order. */
export const readPhrases = (file: URL): Phrase[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(isRow)
    .map((line) => {
      const [caller = "", text = "", readings = ""] = line.split(";");
      return { caller, text, readings };
    });

/** Records how the phrases of a file are read now. */
export function rewritePhrases(file: URL, readings: readonly string[]): void {
  const left = [...readings];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => (isRow(line) ? [...line.split(";").slice(0, 2), left.shift()].join(";") : line));
  writeFileSync(file, lines.join("\n"));
}

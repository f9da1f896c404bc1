const QUOTE = '"';

/** A record of a CSV that grows line by line, until no quoted field is open. */
export interface CsvRecord {
  /** Takes one more line, without its end. True when the record is complete with it. */
  addLine(line: string): boolean;
  /** The fields so far. */
  fields(): string[];
}

/**
 * Splits one record as RFC 4180 has it, and forgives what spreadsheets and people write: blanks before a quote, and quotes
 * inside a field that does not begin with one. What follows a closing quote belongs to its field.
 */
export function createCsvRecord(delimiter: string): CsvRecord {
  const fields: string[] = [];
  /** The text so far of a quoted field that no quote has closed yet. */
  let open: string | undefined;

  /** Reads a quoted field on from `start`; the index of the delimiter behind it, or the line's length. */
  const readQuoted = (line: string, start: number): number => {
    for (let from = start; ;) {
      const quote = line.indexOf(QUOTE, from);
      open = (open ?? "") + line.slice(from, quote === -1 ? undefined : quote);
      if (quote === -1) return line.length;
      if (line[quote + 1] !== QUOTE) {
        const end = endOfField(line, quote + 1);
        fields.push(open + line.slice(quote + 1, end).trimEnd());
        open = undefined;
        return end;
      }
      open += QUOTE;
      from = quote + 2;
    }
  };

  const endOfField = (line: string, from: number): number => {
    const end = line.indexOf(delimiter, from);
    return end === -1 ? line.length : end;
  };

  const readPlain = (line: string, start: number): number => {
    const end = endOfField(line, start);
    fields.push(line.slice(start, end));
    return end;
  };

  return {
    addLine(line) {
      let at = 0;
      if (open !== undefined) {
        open += "\n";
        at = readQuoted(line, 0) + 1;
        if (at > line.length) return open === undefined;
      }
      for (; at <= line.length; at += 1) {
        const start = skipBlanks(line, at);
        at = line[start] === QUOTE ? readQuoted(line, start + 1) : readPlain(line, at);
      }
      return open === undefined;
    },
    fields: () => fields,
  };
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === " ") at += 1;
  return at;
}

/** The fields of a record that stands on one line. */
export function splitCsvLine(line: string, delimiter: string): string[] {
  const record = createCsvRecord(delimiter);
  record.addLine(line);
  return record.fields();
}

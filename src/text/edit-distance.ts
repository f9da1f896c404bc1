/** Longer texts are compared by their first letters only; the longest place names have about 100. */
const MAX_LETTERS = 128;

/** Three rows of the table, reused by every call: the function runs a few hundred times a search. */
const rows = [0, 1, 2].map(() => new Uint16Array(MAX_LETTERS + 1)) as [Uint16Array, Uint16Array, Uint16Array];

/** How far a typed text is from a name, in letters inserted, deleted, replaced or swapped with a neighbour. */
export interface EditDistance {
  /** To the whole name. */
  readonly whole: number;
  /** To the beginning of the name that is nearest: small when the text is the name half typed. */
  readonly prefix: number;
}

/**
 * The optimal string alignment distance (Damerau 1964, no letter edited twice) of `typed` to `name` and to the nearest
 * beginning of `name`. Counts UTF-16 units: callers compare folded texts.
 */
export function editDistance(typed: string, name: string): EditDistance {
  const typedLength = Math.min(typed.length, MAX_LETTERS);
  const nameLength = Math.min(name.length, MAX_LETTERS);
  let [beforePrevious, previous, current] = rows;
  for (let column = 0; column <= nameLength; column++) previous[column] = column;
  for (let row = 1; row <= typedLength; row++) {
    fillRow({ typed, name, row, nameLength, beforePrevious, previous, current });
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  const prefix = previous
    .subarray(0, nameLength + 1)
    .reduce((least, distance) => Math.min(least, distance), Infinity);
  return { whole: previous[nameLength] ?? 0, prefix };
}

interface Row {
  readonly typed: string;
  readonly name: string;
  readonly row: number;
  readonly nameLength: number;
  readonly beforePrevious: Uint16Array;
  readonly previous: Uint16Array;
  readonly current: Uint16Array;
}

function fillRow({ typed, name, row, nameLength, beforePrevious, previous, current }: Row): void {
  const letter = typed.charCodeAt(row - 1);
  const letterBefore = typed.charCodeAt(row - 2);
  current[0] = row;
  for (let column = 1; column <= nameLength; column++) {
    const other = name.charCodeAt(column - 1);
    const replaced = previous[column - 1]! + (letter === other ? 0 : 1);
    let least = Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1);
    if (row > 1 && column > 1 && letter === name.charCodeAt(column - 2) && letterBefore === other) {
      least = Math.min(least, beforePrevious[column - 2]! + 1);
    }
    current[column] = least;
  }
}

/** Only this many letters of a text are compared. The longest place names have about 100. */
const MAX_LETTERS = 128;

/** Three rows of the table, reused by every call: a search calls the function a few hundred times. */
const rows = [0, 1, 2].map(() => new Uint16Array(MAX_LETTERS + 1)) as [Uint16Array, Uint16Array, Uint16Array];

/**
 * How far a typed text is from a name, in letters inserted, deleted, replaced or swapped with a neighbour.
 */
export interface EditDistance {
  /** The distance to the whole name. */
  readonly whole: number;
  /** The distance to the nearest beginning of the name: small when the text is the name half typed. */
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
    const letter = typed.charCodeAt(row - 1);
    const letterBefore = row > 1 ? typed.charCodeAt(row - 2) : -1;
    let left = row;
    current[0] = row;
    for (let column = 1; column <= nameLength; column++) {
      const other = name.charCodeAt(column - 1);
      // Plain comparisons: Math.min takes twice as long here, and this is the innermost loop of a search.
      let least = previous[column - 1]! + (letter === other ? 0 : 1);
      if (previous[column]! + 1 < least) least = previous[column]! + 1;
      if (left + 1 < least) least = left + 1;
      const isSwap = letterBefore === other && column > 1 && letter === name.charCodeAt(column - 2);
      if (isSwap && beforePrevious[column - 2]! + 1 < least) least = beforePrevious[column - 2]! + 1;
      current[column] = least;
      left = least;
    }
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return { whole: previous[nameLength]!, prefix: leastOf(previous, nameLength) };
}

function leastOf(row: Uint16Array, last: number): number {
  let least = row[0]!;
  for (let column = 1; column <= last; column++) if (row[column]! < least) least = row[column]!;
  return least;
}

/** Whether the distance of two texts is at most 1, without a table: what they do not share at both ends decides. */
export function isOneEditAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && one[one.length - 1 - after] === other[other.length - 1 - after])
    after += 1;
  const [left, right] = [one.length - before - after, other.length - before - after];
  if (left <= 1 && right <= 1) return true;
  const isPair = left === 2 && right === 2;
  return isPair && one[before] === other[before + 1] && one[before + 1] === other[before];
}

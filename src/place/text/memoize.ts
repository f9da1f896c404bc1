/** Texts that repeat, such as hours and wards, are some hundred in a town; a file of nonsense must not fill the memory. */
const MAX_REMEMBERED = 1_000;
const MAX_LENGTH = 1_000;

/**
 * The same function, which remembers what it made of the last texts. When they are too many it forgets them all. What it gives
 * is shared: nobody may change it.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const made = compute(text);
    known.set(text, made);
    return made;
  };
}

/**
 * A town has a few hundred recurring texts, such as hours and wards. The limit keeps bad data from filling
 * the memory.
 */
const MAX_ENTRIES = 1_000;
const MAX_LENGTH = 1_000;

/**
 * Returns the same function with a cache for its results. A full cache is emptied. Texts over 1,000
 * characters are not cached. Results are shared, so callers must not change them.
 */
export function memoize<T>(compute: (text: string) => T, maxEntries = MAX_ENTRIES): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxEntries) known.clear();
    const made = compute(text);
    known.set(text, made);
    return made;
  };
}

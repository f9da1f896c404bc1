/** What is known of one type code. */
export interface TypeEntry<Parent extends string = string> {
  readonly vi: string;
  readonly en: string;
  /** The broader type it belongs to: a search for the parent means its children too. */
  readonly parent?: Parent;
  /**
   * How people type the category besides the two labels, in both languages and with their usual misspellings. Marks may be
   * left off. No word stands for two types, also not with its marks left off.
   */
  readonly words: readonly string[];
}

/** The parts of a comma-separated list. */
export function list(words: string): readonly string[] {
  return words.split(", ");
}

/** The languages our own texts come in. Codes and names of places are never translated. */
export type Language = "vi" | "en";

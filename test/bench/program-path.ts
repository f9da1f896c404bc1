import { fileURLToPath } from "node:url";

/** The absolute path of a program of the project. The bench runs programs, it never imports them. */
export const programPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

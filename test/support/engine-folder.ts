import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** A new folder for the data of engines. It is removed with the run at the latest. */
export const makeEngineFolder = (name: string): string =>
  mkdtempSync(join(inject("enginesFolder"), `${name}-`));

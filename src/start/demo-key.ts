import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The key of a server that was given none: made once and kept in the data directory (mode 0600), so that what somebody
 * copied from the terminal yesterday still works today.
 */
export function readDemoKey(dataDir: string): string {
  const path = join(dataDir, "demo-key");
  try {
    const key = readFileSync(path, "utf8").trim();
    if (key !== "") return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = `hab_demo_${randomBytes(18).toString("base64url")}`;
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}

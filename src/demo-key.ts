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

/** A host that only programs of this machine reach. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

interface WhereItIs {
  readonly HOST: string;
  readonly PUBLIC_BASE_URL: string;
}

/**
 * Whether a page may be told the demo key: only where nobody but people at this machine can ask for the page. Everywhere else the
 * page asks for a key, also for this one.
 */
export function isOnlyForThisMachine({ HOST, PUBLIC_BASE_URL }: WhereItIs): boolean {
  return isLoopback(HOST) && isLoopback(new URL(PUBLIC_BASE_URL).hostname);
}

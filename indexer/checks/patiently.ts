import { setTimeout as sleep } from "node:timers/promises";

/** The reader gives up within a second, as a server must; an engine that has just written gigabytes may need some more. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Asks again a few times when an answer fails to come. Throws the last error. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

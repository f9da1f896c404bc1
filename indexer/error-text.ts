import { ConfigError } from "../src/config.ts";
import { LocalEnginesError } from "../src/local-engines/local-engines-error.ts";
import { ImportError } from "./import-error.ts";

/** Errors that are written for a person; of any other the causes say more than the error itself. */
const FOR_PEOPLE = [ConfigError, LocalEnginesError, ImportError];

/** What went wrong, for the terminal: an error's message, and those of its causes where the message alone says little. */
export function toErrorText(error: unknown): string {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return (error as Error).message;
  const text = [...new Set(messagesOf(error))].join(": ");
  return DISK_FULL.test(text) ? `${text}\nThe disk of the engine is full: make room and import again.` : text;
}

/** How the system says so, in Node's words and in the engine's. */
const DISK_FULL = /ENOSPC|no space left on device|MDB_MAP_FULL/i;

function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  // A connection tried over IPv4 and IPv6 fails with both reasons at once.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const own = error.message === "" ? [] : [error.message];
  return [
    ...own,
    ...(first === undefined ? [] : messagesOf(first)),
    ...(error.cause === undefined ? [] : messagesOf(error.cause)),
  ];
}

import { ConfigError } from "../src/config.ts";
import { LocalEnginesError } from "../src/local-engines/local-engines-error.ts";
import { ImportError } from "./import-error.ts";

/** Errors that are written for a person; of any other the causes say more than the error itself. */
const FOR_PEOPLE = [ConfigError, LocalEnginesError, ImportError];

/** What went wrong, for the terminal: an error's message, and those of its causes where the message alone says little. */
export function toErrorText(error: unknown): string {
  if (FOR_PEOPLE.some((kind) => error instanceof kind)) return (error as Error).message;
  return [...new Set(messagesOf(error))].join(": ");
}

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

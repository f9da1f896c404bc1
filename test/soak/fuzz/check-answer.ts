import { checkContract } from "../../support/contract.ts";
import type { Reply } from "../traffic/ask.ts";
import type { FuzzRequest } from "./arbitrary-requests.ts";

type Answer = Reply & { readonly kind: "answer" };

/** Statuses that some request may have; among those of 5xx only the refusal of a server that is too busy. */
const POSSIBLE = new Set([200, 204, 304, 400, 401, 404, 405, 414, 422, 429, 431, 503]);

/** What Node refuses before it comes to us has no body. */
const WITHOUT_BODY = new Set([204, 304, 400, 414, 431]);

/** Says what is wrong about an answer, whatever was asked. */
export function checkAnswer(request: FuzzRequest, { status, headers, text }: Answer): string | undefined {
  if (!POSSIBLE.has(status)) return `${status}`;
  if (repeats(request.canary, { headers, text })) return "the answer repeats a part of the request";
  if (WITHOUT_BODY.has(status) && text === "") return undefined;
  try {
    if (isPlain(request.path))
      checkContract({ method: request.method, target: request.path, status, headers, text });
    // Other paths are pages, which have no contract, or nothing; some of them are no URLs.
    else if (status >= 400) checkProblem(text, status);
    return undefined;
  } catch (error) {
    return `breach of contract (${status}): ${String(error).slice(0, 300)}`;
  }
}

const isPlain = (path: string): boolean =>
  /^\/(?:api\/maps\/(?:search|place|autocomplete)|healthz|readyz)\?/.test(path);

function repeats(canary: string, { headers, text }: Pick<Answer, "headers" | "text">): boolean {
  return text.includes(canary) || [...headers.values()].some((value) => value.includes(canary));
}

function checkProblem(text: string, status: number): void {
  if (text === "") return;
  const body = JSON.parse(text) as { status?: unknown; code?: unknown };
  if (body.status !== status || typeof body.code !== "string") throw new Error("no problem body");
}

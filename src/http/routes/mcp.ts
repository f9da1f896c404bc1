import type { DispatchFunc } from "light-my-request";
import { isDeep, readBody } from "../body.ts";
import { IGNORED_HEADER } from "../query-string.ts";
import { LIMIT_HEADERS } from "../middleware/rate-limit.ts";
import { ATTRIBUTION_HEADER } from "../middleware/response-headers.ts";
import { hangUpSignal, type HttpContext, type HttpMiddleware } from "../request-state.ts";

/** What an operation of the API has returned. */
interface Asked {
  readonly status: number;
  readonly body: string;
  /** The parameters that it does not know, as the header lists them; empty when there are none. */
  readonly ignored: string;
  /** Whom to credit for the places, if anybody. */
  readonly attribution: string;
}

/** Sends a request to an operation of the API: its path and query. */
export type Ask = (target: string) => Promise<Asked>;

/** Answers a message of the Model Context Protocol; its tools ask the API. */
export type AnswerMcp = (request: Request, message: unknown, ask: Ask) => Promise<Response>;

/** A call of a tool, or the first message of a client, is a tenth of it. The library takes 80 ms for 64 kB of capabilities. */
const MAX_MESSAGE_BYTES = 16_384;

/** A call of a tool has four levels. The library calls itself for each. */
const MAX_DEPTH = 16;

/** What a request to an operation takes over from the message: who asks, from where, and how it is followed. */
const PASSED_ON = [
  "accept-language",
  "authorization",
  "origin",
  "referer",
  "traceparent",
  "x-api-key",
  "x-forwarded-for",
] as const;

/** What the response to a message takes over from that of the operation. */
const PASSED_BACK = [...Object.values(LIMIT_HEADERS), "Retry-After"];

/**
 * `POST /mcp`: a message of the Model Context Protocol. A call of a tool runs as a request to its operation through the whole app, with
 * the caller's key, so that keys, scopes, limits, the log and the metrics are those of the API. `limited` counts all other messages.
 */
export function mcpRoute(answer: AnswerMcp, limited: HttpMiddleware): HttpMiddleware {
  let answering: ReturnType<HttpContext["app"]["callback"]> | undefined;
  return async (ctx) => {
    const count = async (): Promise<void> => {
      await limited(ctx, () => Promise.resolve());
    };
    const text = (await readBody(ctx, MAX_MESSAGE_BYTES)) ?? "";
    const read = readMessage(text);
    if ("refusal" in read) {
      await count();
      return refuse(ctx, read.refusal);
    }
    if (!isCall(read.message)) await count();

    const respond = (answering ??= ctx.app.callback());
    const askOnce = createAsk(ctx, (request, response) => void respond(request, response));
    let hasAsked = false;
    const ask: Ask = (target) => {
      hasAsked = true;
      return askOnce(target);
    };
    const response = await answer(toRequest(ctx, text), read.message, ask);
    // A call of a tool that does not exist.
    if (isCall(read.message) && !hasAsked) await count();
    await sendResponse(ctx, response);
  };
}

/** A call counts where it is served: as a request to its operation. */
const isCall = (message: unknown): boolean =>
  (message as { readonly method?: unknown } | null)?.method === "tools/call";

/** Why a message gets no answer, in the words and codes of JSON-RPC. */
interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const NO_MESSAGE: Refusal = {
  status: 400,
  code: -32_700,
  message: `Send a message in JSON of at most ${MAX_MESSAGE_BYTES} bytes, nested at most ${MAX_DEPTH} levels deep.`,
};

/** One request would make hundreds; the protocol has done without lists since June 2025. */
const SEVERAL: Refusal = { status: 400, code: -32_600, message: "Send one message at a time." };

function readMessage(text: string): { readonly message: unknown } | { readonly refusal: Refusal } {
  if (isDeep(text, MAX_DEPTH)) return { refusal: NO_MESSAGE };
  try {
    const message: unknown = JSON.parse(text);
    return Array.isArray(message) ? { refusal: SEVERAL } : { message };
  } catch {
    return { refusal: NO_MESSAGE };
  }
}

function refuse(ctx: HttpContext, { status, ...error }: Refusal): void {
  ctx.status = status;
  ctx.type = "application/json";
  ctx.body = JSON.stringify({ jsonrpc: "2.0", error, id: null });
}

function createAsk(ctx: HttpContext, dispatch: DispatchFunc): Ask {
  const signal = hangUpSignal(ctx);
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (ctx.get(name) === "" ? [] : [[name, ctx.get(name)]])),
  );
  return async (target) => {
    // Most servers never get a message.
    const { default: inject } = await import("light-my-request");
    const {
      statusCode,
      payload,
      headers: returned,
    } = await inject(dispatch, {
      method: "GET",
      url: target,
      headers: { ...headers, "x-request-id": ctx.state.requestId },
      remoteAddress: ctx.req.socket.remoteAddress ?? "",
      signal,
    });
    for (const name of PASSED_BACK) {
      const value = returned[name.toLowerCase()];
      if (value !== undefined) ctx.set(name, String(value));
    }
    const read = (header: string): string => String(returned[header.toLowerCase()] ?? "");
    return {
      status: statusCode,
      body: payload,
      ignored: read(IGNORED_HEADER),
      attribution: read(ATTRIBUTION_HEADER),
    };
  };
}

/** The message as a request of the Fetch standard, which the library reads. */
function toRequest(ctx: HttpContext, body: string): Request {
  const headers = Object.entries(ctx.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new Request(new URL(ctx.path, "http://127.0.0.1"), {
    method: "POST",
    headers,
    body,
    signal: hangUpSignal(ctx),
  });
}

/** Sends the response when it is whole: then it has the headers of the operation, and the log how long it took. */
async function sendResponse(ctx: HttpContext, response: Response): Promise<void> {
  const text = await response.text();
  ctx.set("Content-Type", response.headers.get("content-type") ?? "application/json");
  ctx.body = text;
  ctx.status = response.status;
}

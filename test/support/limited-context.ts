import Koa from "koa";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { HttpContext, RequestState } from "../../src/http/request-state.ts";
import type { Caller } from "../../src/keys/key-record.ts";

const app = new Koa<RequestState>();

/** A request of this caller, as the limiter gets it. */
export function toContext(caller: Caller): HttpContext {
  const request = new IncomingMessage(new Socket());
  const ctx = app.createContext<RequestState>(request, new ServerResponse(request));
  ctx.state.caller = caller;
  return ctx as unknown as HttpContext;
}

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type Koa from "koa";
import type { Config } from "./config.ts";
import type { RequestState } from "./middleware/request-state.ts";

/** Requests under way get this long to end; a search takes milliseconds, a caller with a slow line some seconds. */
const DRAIN_MS = 5_000;

/** Creates the server of an app; it listens nowhere yet. */
export function createHttpServer(app: Koa<RequestState>): Server {
  const respond = app.callback();
  return createServer((request, response) => void respond(request, response));
}

/** Resolves when connections are taken. Rejects with what Node says, such as EADDRINUSE. */
export async function listen(server: Server, { HOST, PORT }: Pick<Config, "HOST" | "PORT">): Promise<void> {
  server.listen(PORT, HOST);
  await once(server, "listening");
}

/** Takes no new requests, lets those under way end, and hangs up on the rest when the time is over. */
export async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const hangUp = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const hangUpIdle = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearTimeout(hangUp);
  clearInterval(hangUpIdle);
}

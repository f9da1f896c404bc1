import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type Koa from "koa";
import { createHttpServer, listen, type ServerLimits } from "../../src/http/server.ts";
import type { RequestState } from "../../src/http/request-state.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Listens on a free loopback port. `await using` ends the server and closes all connections. */
export async function serve(app: Koa<RequestState>, limits: Partial<ServerLimits> = {}): Promise<Served> {
  const server = createHttpServer(app, limits);
  await listen(server, { HOST: "127.0.0.1", PORT: 0 });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, [Symbol.asyncDispose]: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

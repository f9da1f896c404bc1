import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy extends AsyncDisposable {
  readonly url: string;
}

/** Requests that change nothing although they have a body. */
const READS = /\/(?:search|multi-search|documents\/fetch)$/;

const isWrite = ({ method = "GET", url = "" }: IncomingMessage): boolean =>
  method !== "GET" && !READS.test(url.split("?")[0] ?? "");

/**
 * Stands in front of an engine and tells of every request that writes, before the engine gets it. It gets it if that returns true,
 * and any request when `hold` lets it go.
 */
export async function startCountingProxy(
  engineUrl: string,
  mayWrite: (path: string) => boolean,
  hold: (path: string) => Promise<void> = async () => {},
): Promise<CountingProxy> {
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = `${incoming.method} ${incoming.url}`;
    const isRefused = isWrite(incoming) && !mayWrite(path);
    await hold(path);
    if (isRefused) {
      incoming.socket.destroy();
      return;
    }
    const forwarded = request(
      engineUrl + incoming.url,
      { method: incoming.method ?? "GET", headers: incoming.headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  };
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

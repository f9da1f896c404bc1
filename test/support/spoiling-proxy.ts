import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A response of the engine, or what stands in its place. */
export interface SpoiledResponse {
  readonly status: number;
  readonly body: string;
}

/** What becomes of a response to a request for this path. */
type Spoil = (path: string, response: SpoiledResponse) => SpoiledResponse;

export interface SpoilingProxy extends AsyncDisposable {
  readonly url: string;
  /** From now on; nothing is spoiled at first. */
  spoil: Spoil;
}

/** Stands in front of an engine and spoils its responses, as plausible as anyone likes. */
export async function startSpoilingProxy(engineUrl: string): Promise<SpoilingProxy> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = method === "GET" ? null : await buffer(incoming);
      const { authorization = "", "content-type": type = "application/json" } = headers;
      const response = await fetch(engineUrl + url, {
        method,
        // Compressed responses wait 44 ms on the socket (`connection.ts`).
        headers: { authorization, "content-type": type, "accept-encoding": "identity" },
        body,
      });
      const spoiled = proxy.spoil(url, { status: response.status, body: await response.text() });
      outgoing.writeHead(spoiled.status, { "content-type": "application/json" }).end(spoiled.body);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: SpoilingProxy = {
    url: `http://127.0.0.1:${port}`,
    spoil: (_path, response) => response,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

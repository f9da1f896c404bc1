import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Behave = (response: ServerResponse, request: IncomingMessage) => void;

export interface MisbehavingServer extends AsyncDisposable {
  readonly url: string;
  /** The requests received, in order. */
  readonly asked: readonly IncomingMessage[];
}

/** Handles each request with the next of the given behaviours, and all later ones with the last. */
export async function startMisbehaving(...behaviours: readonly Behave[]): Promise<MisbehavingServer> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const behave = behaviours[Math.min(asked.length, behaviours.length - 1)];
    asked.push(request);
    behave?.(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** A behaviour that responds with JSON. */
export const answerJson =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Behave =>
  (response) => {
    const type = status < 400 ? "application/json; charset=utf-8" : "application/problem+json";
    response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
  };

/** A behaviour that refuses requests as the service does. */
export const refuse = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Behave =>
  answerJson(status, { status, code, title: code, detail: `It is ${code}.`, request_id: "r-1" }, headers);

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Metrics as text: a registry of this process, or of several. */
export interface MetricsSource {
  readonly contentType: string;
  readonly metrics: () => Promise<string>;
}

interface MetricsServerOptions {
  readonly source: MetricsSource;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

export interface MetricsServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** A scraper sends a line and some headers, all at once. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Enough for one or two scrapers and a curious person. */
const MAX_CONNECTIONS = 20;

/**
 * Serves `GET /metrics` on a separate port, so that no proxy rule is needed to keep it private. Rejects as
 * `listen` does.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => void answer(options.source, request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  source: MetricsSource,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method !== "GET" || url?.split("?", 1)[0] !== "/metrics") return send(response, 404, "See /metrics.\n");
  try {
    const text = await source.metrics();
    response.setHeader("Content-Type", source.contentType);
    send(response, 200, text);
  } catch {
    send(response, 500, "The metrics could not be read.\n");
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

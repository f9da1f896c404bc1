import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, Server as TcpServer, type Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type Koa from "koa";
import type { Config } from "../config.ts";
import { type Lifecycle, createLifecycle } from "./middleware/lifecycle.ts";
import type { RequestState } from "./request-state.ts";
import { createApp, type AppOptions } from "./app.ts";
import type { Logger } from "../telemetry/logger.ts";

/** The server's limits for one connection. */
export interface ServerLimits {
  /** Headers are one or two packets; a client that needs longer sends them slowly on purpose. */
  readonly headersTimeoutMs: number;
  /** For headers and body. Nothing here reads a body. */
  readonly requestTimeoutMs: number;
  /** How often the two timeouts are checked. */
  readonly checkEveryMs: number;
  /** The longest time without a byte in either direction, as when a client never reads the response. */
  readonly stalledMs: number;
  /** The longest idle time between two requests. */
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** A connection is closed after this many, so that callers spread over added servers. */
  readonly maxRequestsPerConnection: number;
}

const DEFAULT_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkEveryMs: 1_000,
  stalledMs: 20_000,
  keepAliveMs: 65_000,
  maxConnections: 2_000,
  maxRequestsPerConnection: 1_000,
};

/** For path, query and headers together. The longest sensible request is a tenth of it. */
const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;

/** Simultaneous requests on one connection. Browsers and libraries send one; hundreds are an attack. */
const MAX_PIPELINED = 32;

/** After this idle time the system starts to probe whether the other end of a connection is still there. */
const PROBE_AFTER_MS = 30_000;

/**
 * How long connections that look idle stay open after the listener has closed: the next request may be on its way already. Callers
 * without a pause between requests send it within milliseconds; this is for slow networks and a machine that is very busy.
 */
const IDLE_GRACE_MS = 1_000;

/**
 * How long requests under way may take to end. A search takes milliseconds, a caller with a slow line some
 * seconds.
 */
const DRAIN_MS = 5_000;

/**
 * Creates the HTTP server of an app, which does not listen yet. Node itself refuses invalid HTTP (400), long
 * headers (431) and slow requests (408).
 */
export function createHttpServer(app: Koa<RequestState>, limits: Partial<ServerLimits> = {}): Server {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const server = createServer({
    headersTimeout: all.headersTimeoutMs,
    requestTimeout: all.requestTimeoutMs,
    connectionsCheckingInterval: all.checkEveryMs,
    keepAliveTimeout: all.keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = all.maxConnections;
  server.timeout = all.stalledMs;
  const respond = createResponder(app, all.maxRequestsPerConnection);
  server.on("request", respond);
  // A client that waits for permission to send a body gets the response at once.
  server.on("checkContinue", respond);
  return server;
}

/** The number of requests on a connection so far, and of those under way. */
interface ConnectionState {
  asked: number;
  underWay: number;
}

function createResponder(app: Koa<RequestState>, maxRequests: number) {
  const respond = app.callback();
  const connections = new WeakMap<Socket, ConnectionState>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const state = connections.get(socket) ?? { asked: 0, underWay: 0 };
    connections.set(socket, state);
    state.asked += 1;
    state.underWay += 1;
    if (state.underWay > MAX_PIPELINED) socket.destroy();
    // Also drops the requests that were read together with the one too many.
    if (socket.destroyed) return;
    response.once("close", () => (state.underWay -= 1));
    // Bodies are not read: closing the connection after the response is cheaper than waiting for a body to
    // end.
    if (state.asked >= maxRequests || hasBody(request)) response.shouldKeepAlive = false;
    void respond(request, response);
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

type Address = Pick<Config, "HOST" | "PORT"> & Partial<Pick<Config, "WORKERS">>;

/** Resolves when the server accepts connections. Rejects with the error of Node, such as EADDRINUSE. */
export async function listen(server: Server, { HOST, PORT, WORKERS = 1 }: Address): Promise<void> {
  // The kernel spreads connections over the processes that listen on the port.
  server.listen({ host: HOST, port: PORT, reusePort: WORKERS > 1 });
  await once(server, "listening");
}

/**
 * Whether processes may share this port. Rejects as `listen` does when somebody listens there, which sharing might hide. It connects:
 * listening for a moment would take connections of callers who wait for a restart, and lose their requests.
 */
export async function checkPort({ HOST, PORT }: Address): Promise<void> {
  const socket = connect(PORT, HOST);
  try {
    await once(socket, "connect");
    // From a port that the system has just chosen for us, which happens to be this one.
    if (socket.localPort === socket.remotePort) return;
  } catch {
    return;
  } finally {
    socket.destroy();
  }
  const taken = new Error(`listen EADDRINUSE: address already in use ${HOST}:${PORT}`);
  throw Object.assign(taken, { code: "EADDRINUSE", syscall: "listen", address: HOST, port: PORT });
}

interface DrainOptions {
  readonly lifecycle: Lifecycle;
  /**
   * How long requests are still served, so that load balancers see `/readyz` fail before connections are
   * refused.
   */
  readonly delayMs: number;
  readonly deadlineMs?: number;
  /** Resolves when nobody listens on the port any more; absent when this process alone has listened. */
  readonly untilPortIsClosed?: (() => Promise<void>) | undefined;
}

/**
 * Serves on for the delay, closes the listener, and answers the connections that are open once more, with `Connection: close`. Then
 * refuses, lets requests under way finish, and closes the remaining connections at the deadline.
 */
async function drain(
  server: Server,
  { lifecycle, delayMs, deadlineMs = DRAIN_MS, untilPortIsClosed }: DrainOptions,
): Promise<void> {
  const closed = once(server, "close");
  if (delayMs > 0) {
    lifecycle.phase = "draining";
    await sleep(delayMs);
  }
  const hangUp = setTimeout(() => server.closeAllConnections(), deadlineMs);
  const portIsClosed = Promise.withResolvers<void>();
  lifecycle.listenerCloses = portIsClosed.promise;
  await untilNobodyConnects(server);
  // `server.close()` also closes idle connections at once, and with them requests that have arrived but were not read yet.
  TcpServer.prototype.close.call(server);
  // Only now: callers whose connections are closed connect again at once, and a listener that is about to close would take them.
  await untilPortIsClosed?.();
  lifecycle.phase = "draining";
  lifecycle.listenerCloses = undefined;
  portIsClosed.resolve();
  await Promise.race([closed, sleep(IDLE_GRACE_MS, undefined, { ref: false })]);
  lifecycle.phase = "closing";
  server.closeIdleConnections();
  const hangUpIdle = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearTimeout(hangUp);
  clearInterval(hangUpIdle);
}

/**
 * A caller who just got a response connects again within this time, also on a slow line or a busy machine. Responses are held
 * meanwhile, so it is also how much longer the last requests take.
 */
const QUIET_MS = 100;

/** Callers who do not wait for responses never stop to connect. */
const MOST_QUIET_MS = 500;

/** The turn of the loop that has already begun may have looked at the queue before; another one is for good measure. */
const QUIET_TURNS = 3;

/** On a busy machine the callers run while this process does not: after a longer turn many may have connected since its look. */
const SHORT_TURN_MS = 1;

/**
 * Accepts connections until none has come for a while. Those that wait in the kernel when the listener closes are reset with their
 * requests.
 */
async function untilNobodyConnects(server: Server): Promise<void> {
  const deadline = performance.now() + MOST_QUIET_MS;
  let connectedAt = performance.now();
  const note = (): void => void (connectedAt = performance.now());
  server.on("connection", note);
  while (performance.now() < Math.min(connectedAt + QUIET_MS, deadline)) await sleep(10);
  // Without a pause, since the loop accepts only some in each of its turns; for as long again at most.
  for (let quietTurns = 0; quietTurns < QUIET_TURNS && performance.now() < deadline + MOST_QUIET_MS;) {
    const [began, lastBefore] = [performance.now(), connectedAt];
    await setImmediate();
    const isShort = performance.now() - began < SHORT_TURN_MS;
    quietTurns = isShort && connectedAt === lastBefore ? quietTurns + 1 : 0;
  }
  server.off("connection", note);
}

type HttpParts = Omit<AppOptions, "lifecycle"> &
  Pick<DrainOptions, "untilPortIsClosed"> & { readonly config: Config };

/** Starts to listen, and drains when the server is closed. Rejects with the error of Node, such as EADDRINUSE. */
export async function startHttp(parts: HttpParts, signal: AbortSignal, closers: Closers): Promise<void> {
  const { config, logger, untilPortIsClosed } = parts;
  const lifecycle = createLifecycle();
  const server = createHttpServer(createApp({ ...parts, lifecycle }), {
    keepAliveMs: config.KEEP_ALIVE_MS,
    maxConnections: Math.ceil(config.MAX_CONNECTIONS / config.WORKERS),
  });
  await listen(server, config);
  closers.push(() => drain(server, { lifecycle, untilPortIsClosed, ...toDrainTimes(signal, config) }));
  logger.info({ host: config.HOST, port: config.PORT }, "server_listening");
}

/** After a crash the state of the process is unknown, so it should end soon. */
const CRASH_DRAIN_MS = 1_000;

const toDrainTimes = ({ reason }: AbortSignal, { DRAIN_DELAY_MS }: Config) =>
  reason instanceof CrashError ? { delayMs: 0, deadlineMs: CRASH_DRAIN_MS } : { delayMs: DRAIN_DELAY_MS };

/** Why the server stops after an uncaught error. */
class CrashError extends Error {
  override readonly name = "CrashError";
}

/** How long requests under way may take to finish after a crash. */
const CRASH_DEADLINE_MS = 3_000;

/**
 * Ends the process after an uncaught error, because its state is unknown: logs one line, finishes the
 * requests under way and exits with 1, so that its supervisor starts a new process.
 */
export function endOnCrash(logger: Logger, stopping: AbortController): void {
  let isCrashed = false;
  // Unhandled rejections arrive here too.
  process.on("uncaughtException", (err, origin) => {
    if (isCrashed) process.exit(1);
    isCrashed = true;
    logger.fatal({ err, origin }, "process_crashed");
    process.exitCode = 1;
    setTimeout(() => process.exit(1), CRASH_DEADLINE_MS).unref();
    stopping.abort(new CrashError());
  });
}

/** Functions that close what was opened, in the order of opening. They run in reverse order. */
export type Closers = (() => Promise<void>)[];

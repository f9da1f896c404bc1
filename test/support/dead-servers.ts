import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A loopback port on which nothing listens. */
export async function findDeadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A server that accepts every connection and never responds. */
export async function startSilentServer(): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Forwards connections to `target`, and its responses back after a delay, in order. */
export async function startSlowLine(target: URL): Promise<{
  readonly port: number;
  readonly setDelay: (ms: number) => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((caller) => {
    const callee = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
    caller.pipe(callee);
    callee.on("data", (answer) => setTimeout(() => void caller.write(answer), delayMs));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    setDelay(ms) {
      delayMs = ms;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

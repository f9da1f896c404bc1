import { connect } from "node:net";

/** Who has said nothing for so long waits for more of the request. */
const QUIET_MS = 250;

/** A search on a busy machine takes longer than that to begin. */
const FIRST_BYTE_MS = 3_000;

/** Sends bytes (Latin-1) as they are, and gives all that comes back until nothing more does. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let reply = "";
    const finish = (): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setEncoding("latin1");
    socket.setTimeout(bytes.includes("/api/") ? FIRST_BYTE_MS : QUIET_MS, finish);
    socket.on("data", (chunk: string) => {
      reply += chunk;
      socket.setTimeout(QUIET_MS);
    });
    // A server that hangs up in the middle of a bad request is right to do so.
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(bytes, "latin1");
  });
}

/** The statuses of the answers, in order. */
export const readStatuses = (reply: string): number[] =>
  [...reply.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

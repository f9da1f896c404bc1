import { once } from "node:events";
import { connect } from "node:net";

interface RawReply {
  readonly status: number;
  readonly text: string;
  /** The parsed JSON; undefined for a response without a body. */
  readonly body: unknown;
}

/**
 * Sends a request line byte for byte (Latin-1), even one that no HTTP client would send. `headers` end with
 * CR LF each.
 */
export async function sendRaw(port: number, requestLine: string, headers = ""): Promise<RawReply> {
  const socket = connect(port, "127.0.0.1");
  let reply = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (reply += chunk));
  // A server may close the connection in the middle of a bad request.
  socket.on("error", () => undefined);
  socket.write(
    Buffer.from(`${requestLine}\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`, "latin1"),
  );
  await once(socket, "close");
  const [head = "", text = ""] = reply.split("\r\n\r\n", 2);
  return {
    status: Number(head.split(" ", 2)[1]),
    text,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

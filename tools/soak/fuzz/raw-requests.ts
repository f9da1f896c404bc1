import * as fc from "fast-check";
import { connect } from "node:net";

const END = "\r\n\r\n";

/** `key` is replaced by an accepted one. */
const KEY_LINE = "x-api-key: {key}";

const request = (line: string, ...headers: string[]): string =>
  [line, "Host: localhost", "Connection: close", ...headers].join("\r\n") + END;

const search = (...headers: string[]): string =>
  request("GET /api/maps/search?q=cafe HTTP/1.1", KEY_LINE, ...headers);

/** Requests that no client would send, byte for byte (Latin-1). */
export const RAW_REQUESTS: readonly string[] = [
  ...[
    "GET /api/maps/search?q=\xff\xfe\x80 HTTP/1.1",
    "GET /api/maps/search?q=caf\xc3\xa9 HTTP/1.1",
    "GET /api/maps/search?q=a\0b HTTP/1.1",
    "GET /api/maps/search?q=a\tb HTTP/1.1",
    'GET /api/maps/search?q=<>"{}|\\^` HTTP/1.1',
    "GET http://elsewhere.example/api/maps/search?q=cafe HTTP/1.1",
    "GET http://elsewhere.example HTTP/1.1",
    "GET http:// HTTP/1.1",
    "GET http://[::1 HTTP/1.1",
    "GET https://user:secret@elsewhere.example:99999/healthz HTTP/1.1",
    "GET //elsewhere.example/healthz HTTP/1.1",
    "GET ///healthz HTTP/1.1",
    "GET /..//../healthz HTTP/1.1",
    "GET ?q=cafe HTTP/1.1",
    "GET healthz HTTP/1.1",
    "GET * HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "CONNECT elsewhere.example:443 HTTP/1.1",
    "TRACE /healthz HTTP/1.1",
    "BREW /coffee HTTP/1.1",
    "get /healthz HTTP/1.1",
    "G\0ET /healthz HTTP/1.1",
    "PRI * HTTP/2.0",
    "GET /healthz HTTP/1.0",
    "GET /healthz HTTP/0.9",
    "GET /healthz HTTP/9.9",
    "GET /healthz",
    "GET  /healthz  HTTP/1.1",
    "GET\t/healthz\tHTTP/1.1",
    `GET /${"a".repeat(20_000)} HTTP/1.1`,
    `GET /api/maps/search?${"a&".repeat(10_000)} HTTP/1.1`,
    `GET /${"../".repeat(4_000)} HTTP/1.1`,
    `${"X".repeat(5_000)} /healthz HTTP/1.1`,
  ].map((line) => request(line, KEY_LINE)),
  search(`x-long: ${"a".repeat(20_000)}`),
  search(...Array.from({ length: 3_000 }, (_, number) => `x-${number}: 1`)),
  search("x-api-key: another-key-that-nobody-has"),
  search("x-request-id: one", "x-request-id: two"),
  search("accept-language: en", "accept-language: vi"),
  search("Host: elsewhere.example"),
  search("x-nul: a\0b"),
  search("x-folded: a\r\n b"),
  search("no colon here"),
  search(": no name"),
  search("x y: space in the name"),
  search("x-bytes: \xff\xfe"),
  search("Content-Length: -1"),
  search("Content-Length: 99999999999999999999"),
  search("Content-Length: 5", "Content-Length: 6"),
  `${search("Content-Length: 10")}abc`,
  `${search("Transfer-Encoding: chunked")}5\r\nhello\r\n0\r\n\r\n`,
  `${search("Transfer-Encoding: chunked")}zz\r\n`,
  `${search("Transfer-Encoding: chunked", "Content-Length: 5")}0\r\n\r\n`,
  search("Transfer-Encoding: gzip, chunked"),
  search("Expect: 100-continue"),
  search("Expect: the unexpected"),
  search("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"),
  search("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"),
  "GET /healthz HTTP/1.1\r\n\r\n",
  "GET /healthz HTTP/1.1\nHost: localhost\nConnection: close\n\n",
  "GET /healthz HTTP/1.1\r\nHost: local",
  "\r\n\r\n\r\n",
  "\0\0\0\0",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "SSH-2.0-OpenSSH_9.6\r\n",
  `${"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50)}`,
  `${"GET /api/maps/search?q=cafe HTTP/1.1\r\nHost: localhost\r\nx-api-key: {key}\r\n\r\n".repeat(20)}`,
];

type Mutation = (bytes: number[], at: number, byte: number) => void;

const MUTATIONS: readonly Mutation[] = [
  (bytes, at, byte) => void bytes.splice(at, 1, byte),
  (bytes, at, byte) => void bytes.splice(at, 0, byte),
  (bytes, at) => void bytes.splice(at, 1),
  (bytes, at) => void bytes.splice(at, 0, ...bytes.slice(at, at + 30)),
  (bytes, at) => void (bytes.length = at),
];

/** A request of the list, or one of them with a few changed bytes, as Latin-1. */
export const rawArbitrary: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...RAW_REQUESTS),
    fc.array(
      fc.tuple(fc.constantFrom(...MUTATIONS), fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([text, changes]) => {
    const bytes = [...Buffer.from(text, "latin1")];
    // Mostly near the beginning, where the request line and the headers are.
    for (const [change, share, byte] of changes) change(bytes, Math.floor(share ** 2 * bytes.length), byte);
    return Buffer.from(bytes).toString("latin1");
  });

/** A server that is silent for this long waits for more of the request. */
const QUIET_MS = 250;

/** How long a search on a busy machine may take to send its first byte. */
const FIRST_BYTE_MS = 3_000;

/** Sends bytes (Latin-1) unchanged, and returns everything received until the server is silent. */
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
    // A server may close the connection in the middle of a bad request.
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(bytes, "latin1");
  });
}

/** The statuses of the responses, in order. */
export const readStatuses = (reply: string): number[] =>
  [...reply.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

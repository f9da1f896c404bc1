import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fetchRemote } from "../../../../indexer/sources/remote.ts";
import { startS3Server } from "../../../support/s3-server.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-remote-"));
const DATA = "0123456789".repeat(10_000);
const HALF = DATA.length / 2;

let answer: (request: IncomingMessage, response: ServerResponse, count: number) => unknown = () => {};
let asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  answer(request, response, asked.length);
});
let origin = "";
let said = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  asked = [];
  said = "";
  const left = readdirSync(folder);
  if (left.length > 0) throw new Error(`a download left ${left.join(", ")}`);
});
afterAll(() => {
  server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** The content of a source, once downloaded. */
async function load(file: string, env = {}, signal = new AbortController().signal): Promise<string> {
  const news = { write: (text: string) => (said += text) };
  const fetched = await fetchRemote([file], { folder, signal, news, env, pausesMs: [0, 0, 0] });
  try {
    return readFileSync(fetched.paths[0] ?? "", "utf8");
  } finally {
    await fetched.remove();
  }
}

/** How much of a download is on disk. */
const written = (): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/** Sends half of the data, and drops the connection once some of it has been written. */
async function drop(response: ServerResponse, headers: Record<string, string>): Promise<void> {
  response.writeHead(200, { "content-length": DATA.length, ...headers });
  response.write(DATA.slice(0, HALF));
  while (written() === 0) await setImmediate();
  response.destroy();
}

/** Sends the rest that was asked for. */
const sendRest = ({ headers }: IncomingMessage, response: ServerResponse, etag: string): void => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1]);
  response.writeHead(206, { "content-range": `bytes ${from}-${DATA.length - 1}/${DATA.length}`, etag });
  response.end(DATA.slice(from));
};

describe("a download that fails", () => {
  test.each([
    ["ftp://host/file.csv", "ftp:// is not supported"],
    ["https://", "is not valid"],
    [
      "http://places.example/a.csv?token=secret",
      "http://places.example/a.csv would be read without encryption",
    ],
    ["s3://bucket", "s3://bucket/key"],
    ["s3://bucket/key", "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"],
  ])("is refused before anything is sent: %s", async (file, message) => {
    await expect(load(file)).rejects.toThrow(message);
  });

  test.each([
    [401, "the server refuses it (401)"],
    [403, "the server refuses it (403)"],
    [404, "there is no such file (404)"],
    [418, "the server answered 418"],
  ])("with status %i ends at once and says so", async (status, message) => {
    answer = (_, response) => response.writeHead(status).end();
    await expect(load(`${origin}/a.csv`)).rejects.toThrow(message);
    expect(asked).toHaveLength(1);
  });

  test("tries again while a server restarts, and says how often it tried", async () => {
    answer = (_, response) => response.writeHead(503).end();
    await expect(load(`${origin}/a.csv`)).rejects.toThrow("the server answered 503, in 4 tries");
    expect(asked).toHaveLength(4);
  });

  test("ends at a loop of redirects", async () => {
    answer = (_, response) => response.writeHead(302, { location: "/again" }).end();
    await expect(load(`${origin}/a.csv`)).rejects.toThrow("redirects in a loop");
  });

  test.each(["text/html", "text/csv"])("does not take a login page for data, sent as %s", async (type) => {
    answer = (_, response) =>
      response.setHeader("content-type", type).end("\n<!DOCTYPE html><title>Log in</title>");
    await expect(load(`${origin}/a.csv`)).rejects.toThrow("sent a web page (HTML) instead of data");
  });

  test("says that nothing listens", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, "close");
    await expect(load(`http://127.0.0.1:${port}/a.csv`)).rejects.toThrow("nothing listens at this address");
  });

  test("says that a server without TLS is asked for it", async () => {
    await expect(load(`${origin.replace("http:", "https:")}/a.csv`)).rejects.toThrow("TLS is not accepted");
  });

  test("never shows passwords and queries", async () => {
    answer = (_, response) => response.writeHead(403).end();
    const address = origin.replace("//", "//user:hidden1@");
    const error = await load(`${address}/a.csv?X-Amz-Signature=hidden2`).catch(String);
    expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa("user:hidden1")}`);
    expect(asked[0]?.url).toContain("hidden2");
    expect(`${String(error)}${said}`).toContain(`${origin}/a.csv`);
    expect(`${String(error)}${said}`).not.toContain("hidden");
  });

  test("leaves nothing when it is interrupted", async () => {
    const interruption = new AbortController();
    answer = (_, response) => {
      response.writeHead(200, { "content-length": DATA.length });
      response.write(DATA.slice(0, HALF), () => interruption.abort(new Error("Ctrl-C")));
    };
    await expect(load(`${origin}/a.csv`, {}, interruption.signal)).rejects.toThrow("Ctrl-C");
  });
});

describe("a download that breaks off", () => {
  test.each([
    ["its ETag", { etag: '"v1"' }, '"v1"'],
    ["its time", { "last-modified": "Mon, 01 Jun 2026 00:00:00 GMT" }, "Mon, 01 Jun 2026 00:00:00 GMT"],
  ])("goes on where it was, if the file is the same by %s", async (_, headers, version) => {
    answer = (request, response, count) =>
      count === 1 ? drop(response, headers) : sendRest(request, response, '"v1"');
    expect(await load(`${origin}/a.csv`)).toBe(DATA);
    expect(asked[1]?.headers["if-range"]).toBe(version);
    expect(Number(asked[1]?.headers.range?.slice(6, -1))).toBeGreaterThan(0);
  });

  test.each([{}, { etag: 'W/"v1"' }])(
    "begins again without a version that promises the same bytes: %o",
    async (headers) => {
      answer = (_, response, count) => (count === 1 ? drop(response, headers) : response.end(DATA));
      expect(await load(`${origin}/a.csv`)).toBe(DATA);
      expect(asked[1]?.headers.range).toBeUndefined();
    },
  );

  test("begins again when the file has changed", async () => {
    answer = (_, response, count) =>
      count === 1
        ? drop(response, { etag: '"v1"' })
        : response.setHeader("etag", '"v2"').end("short and new");
    expect(await load(`${origin}/a.csv`)).toBe("short and new");
  });

  test("begins again when a server sends the rest of another version", async () => {
    answer = (request, response, count) => {
      if (count === 1) void drop(response, { etag: '"v1"' });
      else if (count === 2) sendRest(request, response, '"v2"');
      else response.end("new");
    };
    expect(await load(`${origin}/a.csv`)).toBe("new");
    expect(said).toContain("the file changed while it was downloaded");
  });

  test("fails when it always breaks off, and says so", async () => {
    answer = (_, response) => drop(response, {});
    await expect(load(`${origin}/a.csv`)).rejects.toThrow(/broke off.*in 4 tries/);
  });
});

describe("S3", () => {
  const objects = new Map([["/city/exports/quán cà phê+1.csv", DATA]]);
  const file = "s3://city/exports/quán cà phê+1.csv";
  let s3: Awaited<ReturnType<typeof startS3Server>>;
  beforeAll(async () => {
    s3 = await startS3Server(objects);
  });
  afterAll(() => s3?.stop());

  test.each([
    [{ AWS_SECRET_ACCESS_KEY: "wrong" }, "403 SignatureDoesNotMatch): check AWS_ACCESS_KEY_ID"],
    [{ AWS_ACCESS_KEY_ID: "WRONG" }, "403 InvalidAccessKeyId): check AWS_ACCESS_KEY_ID"],
    [{ AWS_REGION: "eu-west-1" }, "403 SignatureDoesNotMatch"],
  ])("refuses what is signed with %o, and the message says what to check", async (wrong, message) => {
    await expect(load(file, { ...s3.env, ...wrong })).rejects.toThrow(message);
  });

  test("names an object that does not exist", async () => {
    await expect(load("s3://city/none.csv", s3.env)).rejects.toThrow(
      "Cannot read s3://city/none.csv: there is no such object (404 NoSuchKey)",
    );
  });

  test("gives an object to who signs the request", async () => {
    expect(await load(file, s3.env)).toBe(DATA);
  });
});

import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakePlaces } from "../../support/fake-places.ts";
import { CAFE } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

/** Found in an answer in whatever case, it came from the request. */
const MARK = "zqmarkzq";
const HOSTILE_MARK = `<svg onload=${MARK}>`;

const PATHS = [
  "/api/maps/search",
  "/api/maps/nearby",
  "/api/maps/reverse",
  "/api/maps/place",
  "/api/maps/places",
  "/api/maps/autocomplete",
];
const PARAMETERS =
  "q lat lng type data_id limit offset category open_now open_at min_rating max_price busy_max radius bbox bbox_bias sort lang include " +
  "callback jsonp format fields _method __proto__";
const HEADERS =
  "accept accept-charset accept-encoding accept-language authorization cookie forwarded from if-none-match " +
  "origin range referer user-agent via x-api-key x-forwarded-for x-forwarded-host x-forwarded-proto x-http-method-override " +
  "x-original-url x-request-id x-rewrite-url traceparent access-control-request-method access-control-request-headers";

let app: TestApp;

beforeAll(async () => {
  const index = fakePlaces({ places: [CAFE] });
  app = await startTestApp({ ...index, corsOrigins: ["https://app.example"] });
});

afterAll(() => app[Symbol.asyncDispose]());

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** All of the answer as it came over the wire; Node's own client, since `fetch` forbids some headers. */
function ask({ path, method = "GET", headers = {} }: Sent): Promise<{ status: number; wire: string }> {
  return new Promise((resolve, reject) => {
    const options = { port: app.port, host: "127.0.0.1", path, method, headers };
    const asked = request(options, (reply) => {
      let body = "";
      reply.setEncoding("utf8");
      reply.on("data", (chunk: string) => (body += chunk));
      reply.on("end", () =>
        resolve({ status: reply.statusCode ?? 0, wire: [...reply.rawHeaders, body].join("\n") }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });
}

async function expectNoEcho(sent: Sent): Promise<void> {
  const { status, wire } = await ask(sent);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(wire.toLowerCase()).not.toContain(MARK);
}

const withKey = (): Record<string, string> => ({ "x-api-key": app.key });

test.each(PARAMETERS.split(" "))("no answer repeats the parameter %s", async (name) => {
  for (const path of PATHS) {
    for (const mark of [MARK, HOSTILE_MARK, `0x1:0x2${MARK}`, `1${MARK}`, `vi,${MARK}`]) {
      const query = new URLSearchParams([
        ["q", "cafe"],
        ["data_id", CAFE.data_id],
        ["lat", "10.77"],
        ["lng", "106.7"],
      ]);
      query.set(name, mark);
      await expectNoEcho({ path: `${path}?${query.toString()}`, headers: withKey() });
      query.append(name, `${mark}2`);
      await expectNoEcho({ path: `${path}?${query.toString()}`, headers: withKey() });
    }
  }
});

test("a hostile parameter name is not echoed", async () => {
  for (const path of PATHS) {
    for (const name of [`${MARK}[q]`, `${MARK}-`, `${MARK}${"a".repeat(30)}`, `1${MARK}`, HOSTILE_MARK])
      await expectNoEcho({ path: `${path}?${encodeURIComponent(name)}=1`, headers: withKey() });
  }
});

test("a plain parameter name is echoed in one header only", async () => {
  for (const path of PATHS) {
    const { wire } = await ask({ path: `${path}?${MARK}=1`, headers: withKey() });
    expect(wire.replace(`X-Ignored-Parameters\n${MARK}\n`, "")).not.toContain(MARK);
    expect(wire).toContain(`X-Ignored-Parameters\n${MARK}\n`);
  }
});

test.each(HEADERS.split(" "))("no answer repeats the header %s", async (name) => {
  // An id in the safe alphabet is repeated on purpose.
  const marks = name === "x-request-id" ? [HOSTILE_MARK] : [MARK, HOSTILE_MARK, `https://${MARK}.example`];
  for (const path of [...PATHS, "/healthz", "/readyz", "/nowhere"]) {
    for (const mark of marks) {
      const headers = { ...withKey(), [name]: mark };
      await expectNoEcho({ path: `${path}?q=cafe`, headers });
      await expectNoEcho({ path: `${path}?q=cafe`, method: "OPTIONS", headers });
    }
  }
});

test("no link in a response uses the Host header", async () => {
  const headers = { ...withKey(), host: `${MARK}.example`, "x-forwarded-host": `${MARK}.example` };
  for (const path of [...PATHS, "/nowhere"]) await expectNoEcho({ path: `${path}?q=cafe`, headers });
});

test.each([
  `/${MARK}`,
  `/${MARK}/api/maps/search`,
  `/api/maps/${MARK}`,
  `/api/maps/search/${MARK}`,
  `/api/maps/search;${MARK}`,
  `//${MARK}.example/api/maps/search`,
  `http://${MARK}.example/api/maps/search?q=cafe`,
  `http://${MARK}:${MARK}@/`,
  `/%3Csvg%20onload=${MARK}%3E`,
  `/docs/${MARK}`,
])("no response echoes the path %s", async (path) => {
  for (const method of ["GET", "HEAD", "POST", "OPTIONS"])
    await expectNoEcho({ path, method, headers: withKey() });
});

test("a caller's request id is echoed only in its safe alphabet", async () => {
  const { wire } = await ask({ path: "/healthz", headers: { "x-request-id": MARK } });
  expect(wire).toContain(MARK);
});

import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

const S3_KEYS = { accessKeyId: "TESTKEY", secretAccessKey: "test/secret+1", region: "ap-southeast-1" };

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Checks the signature as AWS describes version 4, from the request as it arrived. */
function problemOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  const { authorization = "" } = headers;
  const [, keyId = "", scope = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      authorization,
    ) ?? [];
  if (keyId !== S3_KEYS.accessKeyId) return "InvalidAccessKeyId";
  const [path = "", query = ""] = url.split("?");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const payload = String(headers["x-amz-content-sha256"]);
  const request = [method, path, query, signed.join(""), names, payload].join("\n");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(request)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${S3_KEYS.secretAccessKey}`);
  const isRight = hmac(key, text).toString("hex") === signature && scope.split("/")[1] === S3_KEYS.region;
  return isRight ? undefined : "SignatureDoesNotMatch";
}

/** A server with one bucket's objects, by their path `/bucket/key`, that refuses wrong signatures. */
export async function startS3Server(objects: ReadonlyMap<string, string>) {
  const server = createServer((request, response) => {
    const body = objects.get(decodeURIComponent((request.url ?? "").split("?")[0] ?? ""));
    const code = problemOf(request) ?? (body === undefined ? "NoSuchKey" : undefined);
    if (code === undefined) response.setHeader("etag", `"${sha256(body ?? "")}"`).end(body);
    else
      response
        .writeHead(code === "NoSuchKey" ? 404 : 403, { "content-type": "application/xml" })
        .end(`<Error><Code>${code}</Code></Error>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      AWS_REGION: S3_KEYS.region,
      AWS_ENDPOINT_URL: url,
    },
    stop: () => server.close().closeAllConnections(),
  };
}

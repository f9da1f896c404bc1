import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startS3Server } from "../../support/s3-server.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("from-afar");

const table = (...names: string[]): string =>
  `name,type,lat,lng\n${names.map((name, row) => `${name},COFFEE,10.77${row},106.68`).join("\n")}\n`;

const CHANGE = `{"op": "delete", "source": "places", "source_id": "none"}\n`;

const objects = new Map([["/city/cafes.csv", table("Sông", "Núi")]]);
let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
const server = createServer((request, response) => void answer(request, response));
let s3: Awaited<ReturnType<typeof startS3Server>>;
let address = "";

beforeAll(async () => {
  s3 = await startS3Server(objects);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cafes.csv`;
});
afterEach(() => {
  const left = readdirSync(own.env.DATA_DIR).filter((name) => name.startsWith("download-"));
  if (left.length > 0) throw new Error(`a command left ${left.join(", ")}`);
});
afterAll(() => {
  s3?.stop();
  server.close().closeAllConnections();
});

/** The titles of the live index. */
async function titles(): Promise<string[]> {
  const { stdout } = await runIndex(["export"], own.env);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { title: string }).title).toSorted();
}

describe("places from afar", () => {
  test("are imported from an address, from S3 and from a file at once, without secrets in the report", async () => {
    const local = join(own.folder, "local.csv");
    writeFileSync(local, table("Đồi"));
    answer = (_, response) => response.end(gzipSync(table("Biển")));
    const sources = [`${address}?token=hidden`, "s3://city/cafes.csv", local];
    const { exitCode, stdout, stderr } = await runIndex(["import", "--json", ...sources], {
      ...own.env,
      ...s3.env,
    });
    expect(stderr).toContain(`Reading ${address} (`);
    expect(stderr).toContain("Reading s3://city/cafes.csv (");
    expect(stdout + stderr).not.toMatch(/hidden|download-/);
    expect(exitCode).toBe(0);
    expect(await titles()).toEqual(["Biển", "Núi", "Sông", "Đồi"].toSorted());
  });

  test("that cannot be read leave the live index as it is", async () => {
    const before = await titles();
    answer = (_, response) => response.writeHead(404).end();
    const { exitCode, stderr } = await runIndex(["import", address], own.env);
    expect(stderr).toContain(`Cannot read ${address}: there is no such file (404): check the address.`);
    expect(exitCode).toBe(1);
    expect(await titles()).toEqual(before);
  });

  test("are validated", async () => {
    const { exitCode, stderr } = await runIndex(["validate", "s3://city/cafes.csv"], {
      ...own.env,
      ...s3.env,
    });
    expect(stderr).toContain("An import would accept these files.");
    expect(exitCode).toBe(0);
  });

  test("are added by apply, and changes in JSON lines are applied", async () => {
    const before = await titles();
    answer = (_, response) => response.end(table("Rừng"));
    const added = await runIndex(["apply", address], own.env);
    expect(added.exitCode).toBe(0);
    answer = (_, response) => response.end(CHANGE);
    const changed = await runIndex(["apply", address], own.env);
    expect(changed.exitCode).toBe(0);
    expect(await titles()).toEqual([...before, "Rừng"].toSorted());
  });
});

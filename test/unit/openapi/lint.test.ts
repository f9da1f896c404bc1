import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";

const LINKS = {
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?id={data_id}",
};

/** Lints a document by `redocly.yaml`, without calling anybody; answers with what there is to complain about. */
async function lint(document: object): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document, undefined, 1));
  const environment = {
    ...process.env,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const linted = promisify(execFile)(
    "node_modules/.bin/redocly",
    ["lint", "--config", "redocly.yaml", "--format", "json", file],
    { env: environment },
  );
  // It ends with 1 when there is something to complain about.
  const { stdout } = await linted.catch((failed: { stdout: string }) => failed);
  await rm(folder, { recursive: true });
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test("the document passes the linter, and its examples match its schemas", async () => {
  expect(await lint(buildOpenApiDocument(LINKS))).toEqual([]);
});

test("the linter reports an undescribed tag and an example that does not match its schema", async () => {
  const document = structuredClone(buildOpenApiDocument(LINKS)) as {
    tags: { description?: string }[];
    paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
  };
  delete document.tags[0]?.description;
  document.paths["/healthz"]!.get.responses["200"]!.content = {
    "application/json": { schema: { $ref: "#/components/schemas/Liveness" }, example: { status: "dead" } },
  };
  const complaints = (await lint(document)).join("\n");
  expect(complaints).toContain("tag-description");
  expect(complaints).toContain("no-invalid-media-type-examples");
});

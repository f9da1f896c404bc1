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

/** Lints documents by `redocly.yaml`, without calling anybody; answers with what there is to complain about in each. */
async function lint(documents: readonly object[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  const files = documents.map((_, number) => join(folder, `${number}.json`));
  await Promise.all(files.map((file, number) => writeFile(file, JSON.stringify(documents[number]))));
  const environment = {
    ...process.env,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const linted = promisify(execFile)(
    "node_modules/.bin/redocly",
    ["lint", "--config", "redocly.yaml", "--format", "json", ...files],
    { env: environment },
  );
  // It ends with 1 when there is something to complain about.
  const { stdout } = await linted.catch((failed: { stdout: string }) => failed);
  await rm(folder, { recursive: true });
  // One object after the other.
  const reports = stdout.split(/(?<=^\})(?=\{)/m).map((text) => JSON.parse(text) as Report);
  return reports.map(({ problems }) => problems.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}

interface Report {
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

test("the document passes the linter, which checks examples against their schemas and the tags", async () => {
  const document = buildOpenApiDocument(LINKS);
  const spoiled = structuredClone(document) as {
    tags: { description?: string }[];
    paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
  };
  delete spoiled.tags[0]?.description;
  spoiled.paths["/healthz"]!.get.responses["200"]!.content = {
    "application/json": { schema: { $ref: "#/components/schemas/Liveness" }, example: { status: "dead" } },
  };
  // Together: its start takes longer than its work.
  const [complaints, ofSpoiled = []] = await lint([document, spoiled]);
  expect(complaints).toEqual([]);
  expect(ofSpoiled.join("\n")).toContain("tag-description");
  expect(ofSpoiled.join("\n")).toContain("no-invalid-media-type-examples");
});

import { expect, test } from "vitest";
import { buildPlainReference } from "../../../src/docs/layout.ts";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";

const links = {
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?id={data_id}",
};

test("the reference without scripts has a section for every operation", () => {
  const document = buildOpenApiDocument(links);
  const page = buildPlainReference(document);
  const paths = Object.keys(document["paths"] as object);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !page.includes(`<code>GET ${path}</code>`))).toEqual([]);
});

test("an operation without an example has a section without one", () => {
  const get = { summary: "Ping", description: "Answers.", responses: { "200": { description: "Alive." } } };
  const page = buildPlainReference({
    info: { title: "API", version: "1", description: "" },
    paths: { "/ping": { get } },
  });
  expect(page).toContain("<h2>Ping</h2>");
  expect(page).not.toContain("<pre");
});

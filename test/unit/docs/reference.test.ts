import { describe, expect, test } from "vitest";
import { buildReferencePage } from "../../../src/docs/reference.ts";
import { buildOpenApiDocument } from "../../../src/openapi/document.ts";
import { SCHEMAS } from "../../../src/openapi/schemas.ts";

const links = {
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?id={data_id}",
};
const document = buildOpenApiDocument(links);
const page = buildReferencePage(document);

/** The part of the page about one operation. */
const sectionOf = (anchor: string): string =>
  page.split(`<section id="${anchor}">`)[1]?.split("</section>")[0] ?? "";

describe("the reference", () => {
  test("has a section for every operation, and a form for those that only read", () => {
    const operations = Object.entries(document["paths"] as Record<string, object>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => ({ path, method })),
    );
    expect(operations.length).toBeGreaterThan(10);
    const isMissing = ({ path, method }: { path: string; method: string }): boolean =>
      !page.includes(`<code>${method.toUpperCase()} ${path}</code>`);
    expect(operations.filter(isMissing)).toEqual([]);
    const tried = operations.filter(({ path, method }) => method === "get" && !path.includes("{"));
    expect(tried.filter(({ path }) => !page.includes(`data-path="${path}"`))).toEqual([]);
  });

  test("shows every schema, and no link leads nowhere", () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
    expect(Object.keys(SCHEMAS).filter((name) => !ids.has(`schema-${name}`))).toEqual([]);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("gives each element an id of its own", () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("says of a parameter what it takes, and of a field whether it may be absent", () => {
    expect(sectionOf("search")).toContain(
      '<code>q</code><div class="kind">string, at most 256 characters, required</div>',
    );
    expect(sectionOf("search")).toContain("integer, 1 to 50, default <code>20</code>");
    expect(sectionOf("search")).toContain("<code>minimal</code> | <code>full</code>, default");
    expect(sectionOf("schema-SearchResult")).toMatch(
      /<code>place_id<\/code><div class="kind">string[^<]*, may be absent/,
    );
    expect(sectionOf("schema-SearchAnswer")).toContain(
      'list of <a href="#schema-SearchResult">SearchResult</a>',
    );
    expect(sectionOf("schema-SearchAnswer")).toContain("<code>understood.wishes.opening</code>");
  });

  test("has a command that can be copied, with an example of what is needed", () => {
    expect(sectionOf("search")).toContain(
      "curl -H &quot;x-api-key: $KEY&quot; &quot;https://places.example/api/maps/search?q=c%C3%A0+ph%C3%AA&amp;lat=10.7769&amp;lng=106.7009&quot;",
    );
    expect(sectionOf("healthz")).toContain("curl &quot;https://places.example/healthz&quot;");
    expect(sectionOf("healthz")).not.toContain('class="key"');
  });

  test("escapes what the document says", () => {
    const get = {
      tags: [],
      summary: "<b>Ping</b>",
      description: "Answers.",
      responses: { "200": { description: "Alive <now>." } },
    };
    const html = buildReferencePage({
      info: { title: "API", version: "1", description: "" },
      servers: [],
      tags: [],
      paths: { "/ping": { get } },
      components: { responses: {}, schemas: {} },
    });
    expect(html).toContain("&lt;b&gt;Ping&lt;/b&gt;");
    expect(html).toContain("Alive &lt;now&gt;.");
    expect(html).not.toContain("Example of a response");
  });
});

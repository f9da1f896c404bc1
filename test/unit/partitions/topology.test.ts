import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readComposeFile } from "../deployment/deployment-files.ts";
import { ConfigError } from "../../../src/errors.ts";
import {
  enginesOfPartition,
  oneEngine,
  readGivenIndex,
  readTopology,
  type NamedEngine,
} from "../../../src/partitions/topology.ts";

let folder = "";

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "hereabouts-topology-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: unknown): string {
  const path = join(folder, "topology.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const ONE = { url: "http://one.example:7700/" };
const TWO = { name: "two", url: "http://two.example:7700", key: "its own" };

test.each([
  ["a file that is missing", undefined, "Cannot read the topology file"],
  ["what is no JSON", "{", "Cannot read the topology file"],
  ["no engines", { engines: [] }, "engines: must name at least one engine"],
  ["a URL without a protocol", { engines: [{ url: "one.example:7700" }] }, "engines.0.url: must be a URL"],
  ["an engine twice", { engines: [ONE, { url: "http://one.example:7700" }] }, "names an engine twice"],
  ["a name twice", { engines: [TWO, { ...ONE, name: "two" }] }, "gives two engines the same name"],
  ["a name with spaces", { engines: [{ ...ONE, name: "my engine" }] }, "engines.0.name: must be letters"],
  ["more replicas than engines", { engines: [ONE], replicas: 2 }, "replicas must not exceed"],
  ["a setting that there is not", { engines: [ONE], shards: 3 }, "shards"],
])("%s is refused with the file and what to fix", (_, content, message) => {
  const path = content === undefined ? join(folder, "none.json") : write(content);
  const read = () => readTopology(path, undefined);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(path);
  expect(read).toThrow(message);
});

test("an engine is named after its URL and has the common key, unless it has its own", () => {
  expect(readTopology(write({ engines: [ONE, TWO] }), "common")).toEqual({
    engines: [{ name: "http://one.example:7700", url: "http://one.example:7700", key: "common" }, TWO],
    partitions: 2,
    replicas: 1,
    prefix: "places",
  });
});

test("the replicas of a partition are on different engines, which all hold equally many", () => {
  const engines = ["a", "b", "c"].map((name): NamedEngine => ({
    name,
    url: `http://${name}`,
    key: undefined,
  }));
  const topology = { engines, partitions: 6, replicas: 2, prefix: "places" };
  const held = [0, 1, 2, 3, 4, 5].map((partition) => enginesOfPartition(topology, partition));
  expect(held.every(([first, second]) => first !== second)).toBe(true);
  for (const engine of engines) expect(held.filter((of) => of.includes(engine))).toHaveLength(4);
});

test("neighbouring partitions share their engines, and no engine holds two partitions more than another", () => {
  const engines = ["a", "b", "c"].map((name): NamedEngine => ({ name, url: name, key: undefined }));
  const topology = { engines, partitions: 8, replicas: 1 };
  const held = Array.from({ length: 8 }, (_, partition) => enginesOfPartition(topology, partition)[0]?.name);
  expect(held.join("")).toBe("aaabbbcc");
});

test("there may be more partitions than engines, or fewer, and as many when the file does not say", () => {
  expect(readTopology(write({ engines: [ONE, TWO], partitions: 8 }), undefined).partitions).toBe(8);
  expect(readTopology(write({ engines: [ONE, TWO], partitions: 1 }), undefined).partitions).toBe(1);
  expect(readTopology(write({ engines: [ONE, TWO] }), undefined).partitions).toBe(2);
});

test("the settings name several engines, one, or none", () => {
  const none = { TOPOLOGY: undefined, MEILISEARCH_URL: undefined, MEILISEARCH_KEY: "key" };
  expect(readGivenIndex(none)).toBeUndefined();
  expect(readGivenIndex({ ...none, MEILISEARCH_URL: TWO.url })).toEqual(
    oneEngine({ url: TWO.url, key: "key" }),
  );
  expect(readGivenIndex({ ...none, TOPOLOGY: write({ engines: [ONE] }) })).toMatchObject({ partitions: 1 });
});

test.each([
  ["one-engine", 1, 1],
  ["three-engines", 3, 2],
  ["eight-engines", 8, 2],
])("the example %s is a topology of %i engines with %i replicas", (name, engines, replicas) => {
  const topology = readTopology(`docs/deployment/${name}.json`, "common");
  expect(topology.engines).toHaveLength(engines);
  expect(topology.replicas).toBe(replicas);
});

test("the example of three engines names the engines of docker-compose.yml", () => {
  const { services } = readComposeFile();
  const { engines } = readTopology("docs/deployment/three-engines.json", undefined);
  const hosts = engines.map(({ url }) => new URL(url).hostname);
  expect(hosts).toEqual(Object.keys(services).filter((name) => name.startsWith("meilisearch")));
});

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CONFIG_VARIABLES } from "../../../src/config.ts";
import { readComposeFile, readText } from "./deployment-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readText("docs/production.md");
const threats = readText("docs/threats.md");
const { services, volumes } = readComposeFile();

test("the guide uses the real names of services", () => {
  const calls = guide.matchAll(
    /docker compose (?:run|exec|restart|create|logs|ps|cp)(?: -+(?:rm|no-deps|T|user \w+|cap-add \w+|tail \d+))* ([a-z][\w-]*)/g,
  );
  const called = new Set([...calls].map(([, name]) => name ?? ""));
  expect(called.size).toBeGreaterThan(4);
  expect([...called].filter((name) => !(name in services) && name !== "backup")).toEqual([]);
});

test("the guide copies into volumes that are mounted at that path", () => {
  const copied = [...guide.matchAll(/ (redis|meilisearch):(\/\w+)\//g)];
  expect(copied.length).toBeGreaterThan(2);
  for (const [, name = "", folder = ""] of copied) {
    const mounted = services[name]?.volumes?.find((mount) => mount.split(":")[1] === folder);
    expect(volumes).toHaveProperty(mounted?.split(":")[0] ?? "none");
  }
});

/** Of other programs, such as Node, or of Compose alone. */
const ELSEWHERE = new Set([
  "NODE_COMPILE_CACHE",
  "MEILI_MASTER_KEY",
  "MEILI_MEMORY",
  "MEILI_INDEXING_MEMORY",
  "MIMALLOC_PURGE_DELAY",
  "REDIS_PASSWORD",
  "API_MEMORY",
]);

test("every variable in the guide exists", () => {
  const named = [...guide.matchAll(/`([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name ?? "");
  const known = new Set([...CONFIG_VARIABLES, ...ELSEWHERE]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every test that threats.md cites exists", () => {
  const proofs = [...threats.matchAll(/`((?:unit|http|security|checks)\/[\w/-]+)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(proofs.length).toBeGreaterThan(20);
  const exists = (path: string): boolean =>
    ["test/", "test/integration/"].some(
      (folder) => existsSync(`${ROOT}${folder}${path}.test.ts`) || existsSync(`${ROOT}${folder}${path}`),
    );
  expect(proofs.filter((path) => !exists(path))).toEqual([]);
});

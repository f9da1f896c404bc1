import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package says it: an SPDX expression, or, in old ones, something else. */
  readonly licence: string | undefined;
}

/** Every package below a folder of modules, those inside of others too. */
export function readInstalledPackages(modules: string): InstalledPackage[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.name.startsWith(".") || !entry.isDirectory()) return [];
    if (entry.name.startsWith("@")) return readInstalledPackages(path);
    return [...readPackage(path), ...readInstalledPackages(join(path, "node_modules"))];
  });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

function readPackage(folder: string): InstalledPackage[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  return [{ name: manifest.name, version: manifest.version, licence: readLicence(manifest) }];
}

/** The field was an object, or a list of them to choose from, before it was a text. */
function readLicence({ license, licenses }: Manifest): string | undefined {
  if (typeof license === "string") return license;
  if (license?.type !== undefined) return license.type;
  const types = licenses?.flatMap(({ type }) => type ?? []) ?? [];
  return types.length === 0 ? undefined : `(${types.join(" OR ")})`;
}

// Packs <place-search>, its React component and the controls for map libraries as npm packages: npm run -s components:pack -- DIR
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { packInto, writeClientPackage, writeDeclarations, writeManifest } from "./client-package.ts";

const ELEMENT = "src/place-search/place-search.ts";
const ELEMENT_PACKAGE = "hereabouts-place-search";
const CONTROLS = ["react", "maplibre", "leaflet"] as const;

/** The packages, as they are named on npm. */
export const COMPONENT_PACKAGES = [ELEMENT_PACKAGE, ...CONTROLS.map((name) => `hereabouts-${name}`)];

/** What the packages import from elsewhere: their users have it, or npm installs it. */
const OTHERS = [ELEMENT_PACKAGE, "react", "maplibre-gl", "leaflet"];

/** Where declarations find what is a package or another file to the user. */
const WRITTEN_IMPORTS: readonly (readonly [RegExp, string])[] = [
  [/"\.\.\/client\/\w+\.ts"/g, '"./client.js"'],
  [/"(?:\.\.\/)+place-search\/place-search\.ts"/g, `"${ELEMENT_PACKAGE}"`],
  [/"\.\.?\/(\w+)\.ts"/g, '"./$1.js"'],
];

async function bundle(input: string, file: string): Promise<void> {
  const bundled = await rolldown({
    input,
    external: OTHERS,
    transform: { target: "es2022" },
    plugins: [
      {
        name: "element-is-a-package",
        resolveId: (source, importer) =>
          source.endsWith("place-search/place-search.ts") && importer?.includes("/controls/")
            ? { id: ELEMENT_PACKAGE, external: true }
            : undefined,
      },
    ],
  });
  await bundled.write({ file, format: "esm", minify: true });
  await bundled.close();
}

/** Writes each package into a folder of its name: one file of code, its types, its manifest and its page. */
export async function writeComponentPackages(folder: string): Promise<void> {
  const declared = mkdtempSync(join(tmpdir(), "hereabouts-declarations-"));
  const controls = CONTROLS.map((name) => `src/controls/${name}`);
  writeDeclarations(declared, [ELEMENT, ...controls.map((path) => `${path}/index.ts`)], "esnext,dom");
  const copyTypes = (source: string, to: string): void => {
    const types = readFileSync(join(declared, source), "utf8");
    const written = WRITTEN_IMPORTS.reduce((text, [from, into]) => text.replaceAll(from, into), types);
    writeFileSync(join(folder, to), written);
  };

  const element = join(folder, ELEMENT_PACKAGE);
  mkdirSync(element, { recursive: true });
  await bundle(ELEMENT, join(element, "index.js"));
  copyTypes("src/place-search/place-search.d.ts", `${ELEMENT_PACKAGE}/index.d.ts`);
  copyTypes("src/place-search/types.d.ts", `${ELEMENT_PACKAGE}/types.d.ts`);
  const client = join(declared, "client");
  await writeClientPackage(client);
  cpSync(join(client, "index.d.ts"), join(element, "client.d.ts"));
  writeManifest(element, "src/place-search");

  for (const name of CONTROLS) {
    const own = `hereabouts-${name}`;
    mkdirSync(join(folder, own), { recursive: true });
    await bundle(`src/controls/${name}/index.ts`, join(folder, own, "index.js"));
    copyTypes(`src/controls/${name}/index.d.ts`, `${own}/index.d.ts`);
    if (name !== "react") copyTypes("src/controls/box.d.ts", `${own}/box.d.ts`);
    writeManifest(join(folder, own), `src/controls/${name}`, [ELEMENT_PACKAGE]);
  }
  rmSync(declared, { recursive: true });
}

if (import.meta.main) {
  const [directory = "."] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-components-"));
  await writeComponentPackages(folder);
  for (const name of COMPONENT_PACKAGES) packInto(directory, join(folder, name));
  rmSync(folder, { recursive: true });
}

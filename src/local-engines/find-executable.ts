import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether this process may run the file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of a program on the PATH, or undefined. */
export function findExecutable(program: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the PATH says where the system keeps its programs; it is no setting of ours
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

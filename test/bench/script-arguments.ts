import { readFileSync } from "node:fs";
import { programPath } from "./program-path.ts";

/** What Node is given by one of the project's npm scripts, with the same limits of memory: a program is measured as it is run. */
export function scriptArguments(name: "start" | "index" | "keys"): string[] {
  const { scripts } = JSON.parse(readFileSync(programPath("package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  const [, ...args] = (scripts[name] ?? "").split(" ");
  return args.map((arg) => (arg.endsWith(".ts") ? programPath(arg) : arg));
}

import { readFileSync } from "node:fs";
import * as v from "valibot";
import { parse } from "yaml";

export const readText = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const text = v.pipe(v.string(), v.nonEmpty());
const size = v.pipe(v.string(), v.regex(/^(\d+[mg]|\$\{\w+:-\d+[mg]\})$/));
const duration = v.pipe(v.string(), v.regex(/^\d+[sm]$/));
const condition = v.picklist(["service_healthy", "service_completed_successfully"]);

const healthcheck = v.union([
  v.strictObject({ disable: v.literal(true) }),
  v.strictObject({
    test: v.pipe(v.array(text), v.minLength(2)),
    interval: duration,
    timeout: duration,
    start_period: duration,
    retries: v.number(),
  }),
]);

/** The members of a service that we use, in one form each. The Compose Specification knows more of both. */
const service = v.strictObject({
  build: v.optional(text),
  image: text,
  init: v.optional(v.boolean()),
  profiles: v.optional(v.tuple([text])),
  restart: v.picklist(["no", "unless-stopped"]),
  user: v.optional(v.pipe(v.string(), v.regex(/^\d+:\d+$/))),
  read_only: v.boolean(),
  tmpfs: v.array(text),
  cap_drop: v.array(text),
  security_opt: v.array(text),
  logging: v.strictObject({
    driver: text,
    options: v.strictObject({ "max-size": text, "max-file": text }),
  }),
  pids_limit: v.pipe(v.number(), v.integer()),
  mem_limit: size,
  stop_grace_period: v.optional(duration),
  depends_on: v.optional(v.record(text, v.strictObject({ condition }))),
  entrypoint: v.optional(v.array(text)),
  command: v.optional(v.array(text)),
  environment: v.record(v.pipe(v.string(), v.regex(/^[A-Z_]+$/)), v.string()),
  healthcheck: v.optional(healthcheck),
  networks: v.array(text),
  ports: v.optional(v.array(text)),
  volumes: v.optional(v.array(v.pipe(v.string(), v.regex(/^[\w./-]+:\/[\w./-]+(:ro)?$/)))),
});

const composeSchema = v.strictObject({
  services: v.record(text, service),
  networks: v.record(text, v.nullable(v.strictObject({ internal: v.boolean() }))),
  volumes: v.record(text, v.null()),
});

export type Service = v.InferOutput<typeof service>;

/** The file as it is written, with its anchors resolved and its variables as they stand. @throws for a member we do not use. */
export function readComposeFile() {
  const { "x-confined": _confined, "x-hereabouts": _hereabouts, ...file } = parseCompose();
  return v.parse(composeSchema, file);
}

/** The same without a look at its form. */
export const parseCompose = (): Record<string, unknown> =>
  parse(readText("docker-compose.yml"), { merge: true }) as Record<string, unknown>;

/** A variable that Compose replaces: `${PORT:-8080}` has the operator `:-`. */
interface TakenVariable {
  readonly name: string;
  readonly operator: string;
}

/** Every variable in the values of the file; `$${…}` is left to the container. */
export function readTakenVariables(value: unknown = parseCompose()): TakenVariable[] {
  if (typeof value === "string")
    return [...value.matchAll(/(?<!\$)\$\{(\w+)(:?[-?+]?)/g)].map(([, name = "", operator = ""]) => ({
      name,
      operator,
    }));
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((inner) => readTakenVariables(inner))
    : [];
}

/** An instruction of the Dockerfile: `COPY --from=a b c` has the flag `--from=a` and the words `b` and `c`. */
interface Instruction {
  readonly name: string;
  readonly flags: readonly string[];
  /** The elements of a JSON list, else what white space separates. */
  readonly words: readonly string[];
}

/** A stage of the Dockerfile, from its `FROM`. */
type Stage = readonly Instruction[];

/** The stages; instructions before the first `FROM` belong to none. */
export function readDockerfile(): { readonly global: Stage; readonly stages: readonly Stage[] } {
  const lines = readText("Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
  const instructions = lines.map(toInstruction);
  const starts = instructions.flatMap(({ name }, index) => (name === "FROM" ? [index] : []));
  return {
    global: instructions.slice(0, starts[0]),
    stages: starts.map((start, index) => instructions.slice(start, starts[index + 1])),
  };
}

function toInstruction(line: string): Instruction {
  const [, name = "", flags = "", rest = ""] = /^([A-Z]+)((?: +--\S+)*) +(.*)$/.exec(line) ?? [];
  // The command of a health check is an instruction in an instruction.
  const words = toWords(rest.replace(/^CMD (?=\[)/, ""));
  return { name, flags: flags.split(" ").filter((flag) => flag !== ""), words };
}

const toWords = (text: string): string[] =>
  text.startsWith("[") ? (JSON.parse(text) as string[]) : text.split(/\s+/);

/** What the image runs. */
export const readImageCommand = (): readonly string[] =>
  readDockerfile()
    .stages.at(-1)
    ?.findLast(({ name }) => name === "CMD")?.words ?? [];

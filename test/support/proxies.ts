import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findDeadPort } from "./dead-servers.ts";
import { programPath, SYSTEM_PATH } from "./program.ts";

export type ProxyName = "nginx" | "haproxy";

export interface Proxy extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The certificate that its callers have to trust, for places.example. */
  readonly certificate: string;
}

/**
 * Starts nginx or HAProxy with its configuration from the documents, in front of the servers on `ports`. Only addresses, paths
 * and the time for the headers of a request are replaced.
 * @throws {Error} with what the program says when it does not accept the configuration, or only with a warning.
 */
export async function startProxy(name: ProxyName, ports: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `hereabouts-${name}-`));
  const certificate = createCertificate(folder);
  const [httpPort, httpsPort] = [await findDeadPort(), await findDeadPort()];
  const { check, run } = COMMANDS[name](folder);
  writeFileSync(join(folder, "proxy.conf"), readConfiguration(name, { folder, ports, httpPort, httpsPort }));
  const [program = "", ...args] = check;
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { PATH: SYSTEM_PATH },
    encoding: "utf8",
  });
  if (status !== 0 || /\bwarn/i.test(stdout + stderr)) throw new Error(`${name}: ${stdout}${stderr}`);

  const [runProgram = "", ...runArgs] = run;
  const child = spawn(runProgram, runArgs, {
    env: { PATH: SYSTEM_PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let written = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (written += chunk));
  const ended = once(child, "close");
  while (!(await canConnect(httpsPort))) {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${written}`);
    await sleep(20);
  }
  return {
    httpPort,
    httpsPort,
    certificate,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** What checks the configuration, and what runs it in the foreground. */
const COMMANDS: Record<ProxyName, (folder: string) => { readonly check: string[]; readonly run: string[] }> =
  {
    nginx(folder) {
      const main = join(folder, "main.conf");
      // What Debian's /etc/nginx/nginx.conf does: it includes conf.d inside "http".
      writeFileSync(
        main,
        `pid ${folder}/pid;\nerror_log stderr warn;\nevents {}\nhttp {\n  access_log off;\n  include ${folder}/proxy.conf;\n}\n`,
      );
      const nginx = ["nginx", "-p", folder, "-c", main];
      return { check: [...nginx, "-t"], run: [...nginx, "-g", "daemon off;"] };
    },
    haproxy(folder) {
      const haproxy = ["haproxy", "-f", join(folder, "proxy.conf")];
      return { check: [...haproxy, "-c"], run: [...haproxy, "-db"] };
    },
  };

interface Places {
  readonly folder: string;
  readonly ports: readonly number[];
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** The documented configuration with the ports, servers and certificate of a test. */
function readConfiguration(name: ProxyName, { folder, ports, httpPort, httpsPort }: Places): string {
  const file = name === "nginx" ? "nginx.conf" : "haproxy.cfg";
  const documented = readFileSync(programPath(`docs/deployment/${file}`), "utf8");
  return documented
    .replaceAll("/etc/ssl/places.example", folder)
    .replace(/^.*\[::\].*\n/gm, "")
    .replace(/(?<=client_header_timeout |timeout http-request )10s/, "3s")
    .replace(/(?<=listen |bind :)80\b/, (port) => (name === "nginx" ? `127.0.0.1:${httpPort}` : port))
    .replace(/(?<=listen )443\b/, `127.0.0.1:${httpsPort}`)
    .replace("bind :80", `bind 127.0.0.1:${httpPort}`)
    .replace("bind :443", `bind 127.0.0.1:${httpsPort}`)
    .replace(/^ +server (?:api1 )?127\.0\.0\.1:8080.*\n/m, (line) =>
      ports.map((port, at) => line.replace("api1", `api${at + 1}`).replace("8080", String(port))).join(""),
    );
}

/** A certificate of its own for places.example, in the files that the configurations name. */
function createCertificate(folder: string): string {
  const [key, chain] = [join(folder, "key.pem"), join(folder, "fullchain.pem")];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ].concat([
      "-subj",
      "/CN=places.example",
      "-addext",
      "subjectAltName=DNS:places.example",
      "-keyout",
      key,
      "-out",
      chain,
    ]),
    { stdio: "pipe" },
  );
  const certificate = readFileSync(chain, "utf8");
  writeFileSync(join(folder, "fullchain-and-key.pem"), certificate + readFileSync(key, "utf8"));
  return certificate;
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect").catch(() => undefined);
  const isOpen = socket.readyState === "open";
  socket.destroy();
  return isOpen;
}

// Serves docs/examples, with a server to search in: npm run -s examples
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { COMPONENT_PACKAGES, writeComponentPackages } from "./component-packages.ts";

const FOLDER = "docs/examples";

/** What the pages have where their readers put their own. */
const SHOWN_URL = "http://127.0.0.1:8080";
const SHOWN_KEY = "hab_...";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".jsx": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

interface Examples extends AsyncDisposable {
  /** Such as `http://localhost:8090`. */
  readonly origin: string;
}

/** Serves the pages on a port of this machine, 0 for a free one. They ask the server at `url` with the key. */
export async function serveExamples(
  { url, key }: { readonly url: string; readonly key: string },
  port: number,
): Promise<Examples> {
  const packages = mkdtempSync(join(tmpdir(), "hereabouts-examples-"));
  await writeComponentPackages(packages);
  const react = (await bundleReact(packages)).replaceAll(SHOWN_URL, url).replaceAll(SHOWN_KEY, key);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = pathname === "/react.jsx" ? react : readFile(pathname, packages);
    if (file === undefined) return response.writeHead(404).end();
    const type = CONTENT_TYPES[extname(pathname)] ?? CONTENT_TYPES[".html"];
    const shown =
      typeof file === "string" ? file.replaceAll(SHOWN_URL, url).replaceAll(SHOWN_KEY, key) : file;
    return response.writeHead(200, { "content-type": type }).end(shown);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await close(server);
      rmSync(packages, { recursive: true });
    },
  };
}

/** The pages at the top, and packages below `/node_modules`, as in a project that has installed them. */
function readFile(pathname: string, packages: string): string | Buffer | undefined {
  if (pathname === "/") return listPages();
  const [, library, name = "", rest = ""] = /^\/(node_modules\/([\w-]+)\/|)([\w./-]+)$/.exec(pathname) ?? [];
  const root = resolve(
    !library ? FOLDER : COMPONENT_PACKAGES.includes(name) ? join(packages, name) : join("node_modules", name),
  );
  const path = resolve(root, rest);
  if (rest === "" || !path.startsWith(root)) return undefined;
  try {
    return library ? readFileSync(path) : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const listPages = (): string => {
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".html"));
  const links = pages.map((name) => `<li><a href="/${name}">${name.replace(".html", "")}</a></li>`);
  return `<!doctype html><html lang="en"><title>Examples</title><h1>Examples</h1><ul>${links.join("")}</ul></html>`;
};

/** The page with React has to be bundled: React comes as CommonJS, and browsers know no JSX. */
async function bundleReact(packages: string): Promise<string> {
  const bundle = await rolldown({
    input: join(FOLDER, "react.jsx"),
    resolve: {
      alias: Object.fromEntries(COMPONENT_PACKAGES.map((name) => [name, join(packages, name, "index.js")])),
      modules: [resolve("node_modules")],
    },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** The key of a demo on this machine; undefined where there is none. */
async function readDemoKey(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/playground/demo-key.json", url));
    return response.ok ? ((await response.json()) as { readonly key: string }).key : undefined;
  } catch {
    return undefined;
  }
}

const HELP = `Usage: npm run -s examples [-- --url <url> --key <key>] [--port <number>]

Serves the pages of docs/examples on http://127.0.0.1:8090/, with the packages as npm would install them.
They search in the demo on this machine, which starts if it does not run yet, or in another server.

  --url <url>      the server to search in (${SHOWN_URL})
  --key <key>      a key for it; that of the demo by default
  --port <number>  where the pages are (8090)
  -h, --help       show this help
`;

const START_TRIES = 240;

/** Starts the demo, as `npm start` does, and waits for its key. */
async function startDemo(url: string): Promise<{ readonly key: string; readonly server: ChildProcess }> {
  const env = { ...process.env, PORT: new URL(url).port };
  const server = spawn(process.execPath, ["--run", "start"], { stdio: "inherit", env });
  for (let tries = 0; tries < START_TRIES && server.exitCode === null; tries++) {
    await wait(500);
    const key = await readDemoKey(url);
    if (key !== undefined) return { key, server };
  }
  throw new Error(
    `No demo at ${url}: with --key, the examples search in any server that allows their origin.`,
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: "string", default: SHOWN_URL },
      key: { type: "string" },
      port: { type: "string", default: "8090" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return console.log(HELP);
  const { url } = values;
  const key = values.key ?? (await readDemoKey(url));
  const demo = key === undefined ? await startDemo(url) : { key, server: undefined };
  const examples = await serveExamples({ url, key: demo.key }, Number(values.port));
  console.log(`\nThe examples are at ${examples.origin}/\n`);
  // Ctrl-C reaches the demo too, which ends in order and takes a moment for it.
  await Promise.race([once(process, "SIGINT"), ...(demo.server ? [once(demo.server, "exit")] : [])]);
  await examples[Symbol.asyncDispose]();
}

if (import.meta.main) await main();

import { mkdtemp, open, rm, utimes } from "node:fs/promises";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { CommandError } from "../../src/cli/errors.ts";
import { formatBytes, formatCount } from "../../src/cli/format.ts";
import { startProgress, type ProgressState, type ProgressStream } from "../../src/cli/progress.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Files of a command line, with local copies of those from afar. */
export interface FetchedFiles {
  /** Local paths, in the order of the command line. */
  readonly paths: readonly string[];
  /** What people may read instead of the path of a copy: its address without a query or a password. */
  readonly names: ReadonlyMap<string, string>;
  /** How the servers name the versions that were downloaded, by the path of the copy; without those that do not. */
  readonly versions: ReadonlyMap<string, string>;
  /** Removes the copies. */
  readonly remove: () => Promise<void>;
}

interface FetchOptions {
  /** The copies are in a new folder in it; in the system's temporary folder if it cannot be written. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly news: ProgressStream;
  /** Has the variables of AWS. */
  readonly env: Environment;
  readonly pausesMs?: readonly number[];
}

/** After each try in a row that brought nothing. Half a minute is a restart of a server, or a lost connection. */
const PAUSES_MS = [500, 2_000, 6_000, 20_000];

/** A server that sends nothing for this long is gone. */
const SILENCE_MS = 60_000;

/**
 * Downloads the `https://` and `s3://` sources among the files of a command line; all others are returned as they are.
 * @throws {CommandError} in one line, without secrets, for a source that cannot be downloaded whole. No copy is left then.
 */
export async function fetchRemote(files: readonly string[], options: FetchOptions): Promise<FetchedFiles> {
  const { folder, env } = options;
  const remotes = new Map(
    [...new Set(files)].filter(isRemote).map((file) => [file, parseRemote(file, env)] as const),
  );
  if (remotes.size === 0)
    return { paths: files, names: new Map(), versions: new Map(), remove: async () => {} };
  const copies = await mkdtemp(join(folder, "download-")).catch(() =>
    mkdtemp(join(tmpdir(), "hereabouts-download-")),
  );
  const remove = (): Promise<void> => rm(copies, { recursive: true, force: true });
  const paths = new Map<string, string>();
  const names = new Map<string, string>();
  const versions = new Map<string, string>();
  try {
    for (const [file, remote] of remotes) {
      const path = join(copies, String(paths.size + 1));
      const version = await download(remote, path, options);
      if (version !== undefined) versions.set(path, version);
      paths.set(file, path);
      names.set(path, remote.name);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { paths: files.map((file) => paths.get(file) ?? file), names, versions, remove };
}

/** Whether a file of a command line has to be downloaded. */
export const isRemote = (file: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(file);

/**
 * Whether a source still has the version that was downloaded before. Asks with a GET, since signed addresses allow nothing else, and
 * does not read the file. Where that fails, the answer is no: the download says what is wrong.
 */
export async function hasVersion(
  file: string,
  version: string,
  { env, signal }: Pick<FetchOptions, "env" | "signal">,
): Promise<boolean> {
  const silence = AbortSignal.timeout(SILENCE_MS);
  try {
    const remote = parseRemote(file, env);
    const response = await ask(remote, ETAG.test(version) ? { "if-none-match": version } : {}, [
      signal,
      silence,
    ]);
    await response.body?.cancel();
    checkEncrypted(remote, response);
    return response.status === 304 || (response.ok && versionOf(response.headers) === version);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

const ETAG = /^(?:W\/)?"/;

/** How a server names the version of a file; `undefined` when it does not. */
function versionOf(headers: Headers): string | undefined {
  const modified = headers.get("last-modified");
  const length = headers.get("content-length");
  const dated = modified !== null && length !== null ? `${modified}, ${length} bytes` : undefined;
  return headers.get("etag") ?? dated;
}

interface SignedRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** A source that is not on this machine. */
interface Remote {
  /** Without a query or a password, since addresses may be signed. */
  readonly name: string;
  readonly isS3: boolean;
  /** The request with these headers, signed for now. */
  readonly request: (headers: Record<string, string>) => Promise<SignedRequest>;
}

function parseRemote(file: string, env: Environment): Remote {
  const scheme = file.slice(0, file.indexOf("://")).toLowerCase();
  if (scheme === "s3") return parseS3(file, env);
  if (scheme !== "https" && scheme !== "http")
    throw new CommandError(`${scheme}:// is not supported: use https://, s3:// or a file.`);
  const url = URL.parse(file);
  if (url === null) throw new CommandError(`An address of ${scheme}:// is not valid: check host and port.`);
  const { username, password } = url;
  const name = url.origin + url.pathname;
  if (isOpen(url))
    throw new CommandError(
      `${name} would be read without encryption: use https:// (http:// only on this machine).`,
    );
  url.username = "";
  url.password = "";
  url.hash = "";
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  const own = username === "" && password === "" ? {} : authorization;
  return {
    name,
    isS3: false,
    request: async (headers) => ({ url: url.href, headers: { ...own, ...headers } }),
  };
}

/** Whether others could read and change what an address brings. */
const isOpen = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && !(hostname === "localhost" || hostname === "[::1]" || isLoopback(hostname));

const isLoopback = (host: string): boolean => isIP(host) === 4 && host.startsWith("127.");

function parseS3(file: string, env: Environment): Remote {
  const [, bucket = "", key = ""] = /^s3:\/\/([\w.-]+)\/(.+)$/isu.exec(file) ?? [];
  if (bucket === "") throw new CommandError("Write s3://bucket/key, with the key of one object.");
  const accessKeyId = env["AWS_ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"] ?? "";
  const missing = Object.entries({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey })
    .filter(([, value]) => value === "")
    .map(([variable]) => variable);
  const name = `s3://${bucket}/${key}`;
  if (missing.length > 0)
    throw new CommandError(`${name} needs ${missing.join(" and ")} in the environment.`);
  const sessionToken = env["AWS_SESSION_TOKEN"] || undefined;
  const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "us-east-1";
  const endpoint = env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"];
  const path = key.split("/").map(encodeURIComponent).join("/");
  const url = endpoint
    ? `${endpoint.replace(/\/$/, "")}/${bucket}/${path}`
    : bucketUrl(bucket, region) + path;
  if (!URL.canParse(url)) throw new CommandError("AWS_ENDPOINT_URL is not a valid address.");
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  const request = async (headers: Record<string, string>): Promise<SignedRequest> => {
    const signed = await new AwsV4Signer({ ...keys, url, headers, service: "s3", region }).sign();
    return {
      url: signed.url.href,
      headers: Object.fromEntries(signed.headers as Iterable<[string, string]>),
    };
  };
  return { name, isS3: true, request };
}

/** A certificate covers one label before the domain: a bucket with dots is part of the path. */
const bucketUrl = (bucket: string, region: string): string =>
  bucket.includes(".")
    ? `https://s3.${region}.amazonaws.com/${bucket}/`
    : `https://${bucket}.s3.${region}.amazonaws.com/`;

/** The copy so far. */
interface Copy {
  readonly path: string;
  bytes: number;
  /** How often it was begun. */
  begun: number;
  total: number | undefined;
  /** Names the version that the bytes are of, for `If-Range`; without one a broken download begins again. */
  version: string | undefined;
  /** Names it also where the bytes may differ, or be sent in another coding. */
  looseVersion: string | undefined;
  modified: string | undefined;
}

/** A try failed in a way that may pass. */
class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/** Resolves to how the server names the version. */
async function download(remote: Remote, path: string, options: FetchOptions): Promise<string | undefined> {
  const { signal, news, pausesMs = PAUSES_MS } = options;
  const { name } = remote;
  const unknown = { total: undefined, version: undefined, looseVersion: undefined, modified: undefined };
  const copy: Copy = { path, bytes: 0, begun: 0, ...unknown };
  news.write(`Downloading ${name}.\n`);
  const progress = startProgress(news, "downloading", () => describe(copy));
  try {
    for (let failed = 0; ;) {
      const { bytes, begun } = copy;
      try {
        await readOn(remote, copy, options);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CommandError) throw error;
        const problem = toProblem(error);
        if (problem.isFinal)
          throw new CommandError(`Cannot read ${name}: ${problem.text}.`, { cause: error });
        // A download that only ever begins again does not come further.
        const isFurther = copy.version !== undefined && copy.begun === begun && copy.bytes > bytes;
        failed = isFurther ? 1 : failed + 1;
        const pause = pausesMs[failed - 1];
        if (pause === undefined)
          throw new CommandError(
            `Cannot read ${name}: ${problem.text}, in ${formatCount(failed)} tries. Try again later.`,
            { cause: error },
          );
        progress.say(`${name}: ${problem.text}; the next try is in ${pause / 1_000} s.`);
        await wait(pause, undefined, { signal });
      }
    }
  } finally {
    progress.stop();
  }
  await checkNoPage(name, path);
  // An import that is resumed recognizes the same version of a file by its time.
  const modified = new Date(copy.modified ?? 0);
  await utimes(path, modified, Number.isNaN(modified.getTime()) ? new Date(0) : modified);
  return copy.looseVersion;
}

const describe = ({ bytes, total }: Copy): ProgressState =>
  total === undefined
    ? { text: formatBytes(bytes) }
    : { text: `${formatBytes(bytes)} of ${formatBytes(total)}`, share: total === 0 ? 1 : bytes / total };

/** Sends a request for a file. */
async function ask(
  remote: Remote,
  conditions: Record<string, string>,
  signals: AbortSignal[],
): Promise<Response> {
  const { url, headers } = await remote.request({
    // Compressed on the way, bytes could not be counted.
    "accept-encoding": "identity",
    "user-agent": "hereabouts",
    ...conditions,
  });
  // A signature is for one host.
  const redirect = remote.isS3 ? "manual" : "follow";
  return fetch(url, { headers, signal: AbortSignal.any(signals), redirect });
}

/** Reads what is missing of the copy. */
async function readOn(remote: Remote, copy: Copy, { signal }: FetchOptions): Promise<void> {
  if (copy.version === undefined) copy.bytes = 0;
  const rest = copy.bytes > 0 ? { range: `bytes=${copy.bytes}-`, "if-range": copy.version ?? "" } : undefined;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new TryAgain("the server stopped sending")), SILENCE_MS);
  let response: Response | undefined;
  try {
    response = await ask(remote, { ...rest }, [signal, silence.signal]);
    await checkResponse(remote, response);
    if (response.status === 206) checkRange(response, copy);
    else await beginCopy(response, copy);
    if (!response.body) return;
    await write(response.body, copy, () => timer.refresh());
  } finally {
    clearTimeout(timer);
    await response?.body?.cancel().catch(() => {});
  }
  if (copy.total !== undefined && copy.bytes !== copy.total)
    throw new TryAgain(`only ${formatCount(copy.bytes)} of ${formatCount(copy.total)} bytes came`);
}

/** Appends what comes; what is counted is written. */
async function write(chunks: AsyncIterable<Uint8Array>, copy: Copy, onChunk: () => void): Promise<void> {
  const file = await open(copy.path, "r+");
  try {
    for await (const chunk of chunks) {
      onChunk();
      for (let written = 0; written < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, written, chunk.length - written, copy.bytes);
        written += bytesWritten;
        copy.bytes += bytesWritten;
      }
    }
  } finally {
    await file.close();
  }
}

async function beginCopy({ headers }: Response, copy: Copy): Promise<void> {
  const length = headers.get("content-length");
  const etag = headers.get("etag");
  const isPlain = (headers.get("content-encoding") ?? "identity") === "identity";
  copy.bytes = 0;
  copy.total = isPlain && length !== null ? Number(length) : undefined;
  copy.modified = headers.get("last-modified") ?? undefined;
  copy.looseVersion = versionOf(headers);
  // A weak ETag does not promise the same bytes.
  copy.version = isPlain ? (etag?.startsWith('"') ? etag : copy.modified) : undefined;
  copy.begun += 1;
  await (await open(copy.path, "w", 0o600)).close();
}

/** @throws {TryAgain} when the rest is not that of the copy, which then begins again. */
function checkRange({ headers }: Response, copy: Copy): void {
  const range = headers.get("content-range") ?? "";
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
  const etag = headers.get("etag");
  const isSame =
    copy.bytes > 0 &&
    Number(from) === copy.bytes &&
    (copy.total === undefined || total === "*" || Number(total) === copy.total) &&
    (etag === null || copy.version?.startsWith('"') !== true || etag === copy.version);
  if (isSame) return;
  copy.version = undefined;
  throw new TryAgain("the file changed while it was downloaded");
}

/** Statuses that pass: too many requests, a server that restarts, a range of a file that is now shorter. */
const PASSING = new Set([408, 416, 425, 429]);

/** @throws {CommandError} when others could have changed what a server answered after a redirect. */
function checkEncrypted({ name, isS3 }: Remote, { url }: Response): void {
  const at = URL.parse(url);
  if (isS3 || at === null || !isOpen(at)) return;
  throw new CommandError(
    `Cannot read ${name}: it redirects to http://${at.host}, which is not encrypted: ask for an address with https://.`,
  );
}

async function checkResponse(remote: Remote, response: Response): Promise<void> {
  const { name, isS3 } = remote;
  const { status } = response;
  const fail = (text: string): never => {
    throw new CommandError(`Cannot read ${name}: ${text}.`);
  };
  checkEncrypted(remote, response);
  if (status === 200 || status === 206) {
    if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) fail(PAGE);
    return;
  }
  const code = isS3 ? await readS3Code(response) : undefined;
  const said = code === undefined ? String(status) : `${status} ${code}`;
  if (status >= 500 || PASSING.has(status)) throw new TryAgain(`the server answered ${said}`);
  if (status === 401 || status === 403)
    fail(`the server refuses it (${said}): ${isS3 ? ADVICE_S3 : ADVICE_URL}`);
  if (status === 404 || status === 410)
    fail(`there is no such ${isS3 ? "object" : "file"} (${said}): check the address`);
  if (isS3 && status < 400)
    fail(`the bucket is in another region (${said}): set AWS_REGION or AWS_ENDPOINT_URL`);
  fail(`the server answered ${said}: check the address`);
}

const PAGE =
  "the server sent a web page (HTML) instead of data: use the address of the file itself; it may need a login";
const ADVICE_URL = "use an address that may be read; a signed one may have expired";
const ADVICE_S3 =
  "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, AWS_REGION, and that the key may read this object";

async function readS3Code(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => "");
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
}

/** Enough for blanks, a comment and the first element. */
const PAGE_BYTES = 512;

/** Login pages may be sent as any type. */
async function checkNoPage(name: string, path: string): Promise<void> {
  const file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, 0);
  await file.close();
  if (/^\uFEFF?\s*<(?:!doctype\s+html|html)\b/i.test(buffer.toString("utf8", 0, bytesRead)))
    throw new CommandError(`Cannot read ${name}: ${PAGE}.`);
}

interface Problem {
  readonly text: string;
  /** Another try would fail in the same way. */
  readonly isFinal: boolean;
}

const NETWORK_PROBLEMS: Readonly<Record<string, Problem>> = {
  ENOTFOUND: { text: "there is no such host: check the address and the network", isFinal: true },
  ENOSPC: { text: "the disk is full: make room, or set TMPDIR or DATA_DIR", isFinal: true },
  EAI_AGAIN: { text: "the name of the host cannot be resolved: check the network", isFinal: false },
  ECONNREFUSED: { text: "nothing listens at this address", isFinal: false },
  UND_ERR_CONNECT_TIMEOUT: { text: "the host does not respond", isFinal: false },
};

const TLS = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER|EPROTO/;

function toProblem(error: unknown): Problem {
  if (error instanceof TryAgain) return { text: error.message, isFinal: false };
  const causes = causesOf(error);
  const codes = causes.map(({ code }) => code ?? "");
  for (const code of codes) {
    const known = NETWORK_PROBLEMS[code];
    if (known) return known;
    if (TLS.test(code))
      return {
        text: `its certificate or TLS is not accepted (${code}): check it, or NODE_EXTRA_CA_CERTS`,
        isFinal: true,
      };
  }
  if (causes.some(({ message }) => message.includes("redirect count")))
    return { text: "it redirects in a loop: open the address in a browser", isFinal: true };
  const code = codes.find((one) => one !== "");
  return { text: `the connection broke off${code === undefined ? "" : ` (${code})`}`, isFinal: false };
}

/** The error, what caused it, and of tries over IPv4 and IPv6 the first. */
function causesOf(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return [];
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return [error, ...causesOf(first), ...causesOf(error.cause)];
}

import { PROBLEMS } from "../../src/errors.ts";
import type { ProblemBody } from "../../src/answers/problem.ts";
import { INCLUDED_FIELDS, INCLUDED_NAMES, type Included } from "../../src/answers/included-fields.ts";
import { fullFields } from "../../src/answers/place-fields.ts";
import { documentedResponse, findSchemaFaults, isDocumented } from "./openapi-responses.ts";

/** One response of the API, whatever its status. */
export interface Answer {
  readonly method: string;
  /** The requested path and query. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks a response against the OpenAPI document, and against rules that the document cannot express. Throws.
 */
export function checkContract(answer: Answer): void {
  const url = new URL(answer.target, "http://test.invalid");
  const body: unknown = answer.method === "HEAD" ? undefined : JSON.parse(answer.text);
  const faults = [...findDocumentFaults(answer, url.pathname, body), ...findHeaderFaults(answer)];
  if (faults.length > 0) throw new Error(`${answer.method} ${answer.target}: ${faults.join("\n")}`);
  checkCaching(answer, url.pathname);
  if (body === undefined) return;
  if (isProblem(answer)) checkProblem(answer, body as ProblemBody, url.pathname);
  else if (answer.method === "GET") checkMembers(url, body);
}

const isProblem = ({ headers }: Answer): boolean =>
  headers.get("content-type") === "application/problem+json";

/** Unknown paths and methods are not in the document. Their responses are problem bodies like all others. */
function findDocumentFaults(
  { method, target, status, headers }: Answer,
  path: string,
  body: unknown,
): string[] {
  const documented = method === "HEAD" ? "get" : method.toLowerCase();
  // A server without the write API has fewer methods than the document.
  const isMissing = status === 405 || (body as { code?: string } | undefined)?.code === "unknown_route";
  const isOperation = isDocumented(path, documented) && !isMissing;
  if (!isOperation && status >= 400) return body === undefined ? [] : findSchemaFaults(body, "Problem");
  const hasFields = new URL(target, "http://test.invalid").searchParams.has("fields");
  const response = documentedResponse(path, status, {
    mayLackFields: status === 200 && hasFields,
    method: documented,
  });
  return response?.findFaults({ headers, body }) ?? [`the status ${status} is not documented here`];
}

/** The headers of every API response, success or failure. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

function findHeaderFaults(answer: Answer): string[] {
  const { status, headers } = answer;
  const isToWait = status === 429 || (status === 503 && isProblem(answer));
  const wanted: [string, boolean][] = [
    ...Object.entries(SECURITY_HEADERS).map(([name, value]): [string, boolean] => [
      `${name}: ${value}`,
      headers.get(name) === value,
    ]),
    ["no word of what serves", ["server", "x-powered-by", "via"].every((name) => !headers.has(name))],
    ["a challenge with 401 only", headers.has("www-authenticate") === (status === 401)],
    ["the allowed methods with 405 only", headers.has("allow") === (status === 405)],
    // A failure that may pass by itself can say when to try again.
    [
      "a time to wait when there is one only",
      status === 500 || status === 202 || headers.has("retry-after") === isToWait,
    ],
  ];
  return wanted.filter(([, isSo]) => !isSo).map(([what]) => `the headers want ${what}`);
}

/** A caller may cache successful responses for as long as they stay true. Nothing else may be cached. */
function checkCaching({ method, status, headers }: Answer, pathname: string): void {
  const isRead = method === "GET" || method === "HEAD";
  const mayBeKept = isRead && status === 200 && /^\/(?:api\/maps|photon)\/(?!writes\/)/.test(pathname);
  if (!mayBeKept) assertEqual(headers.get("cache-control"), "private, no-store", "cache-control");
  // That of a write is the version of the place.
  if (isRead) assertEqual(headers.has("etag"), mayBeKept, "an ETag");
}

function checkProblem(answer: Answer, body: ProblemBody, pathname: string): void {
  assertEqual(body.status, answer.status, "status of the body");
  assertEqual(PROBLEMS[body.code].status, answer.status, `status of ${body.code}`);
  assertEqual(body.request_id, answer.headers.get("x-request-id"), "request_id");
  assertEqual(body.type.split("#")[1], body.code, "fragment of the type");
  // An unknown path is not repeated.
  if (body.instance !== "" && !body.instance.includes(":")) assertEqual(body.instance, pathname, "instance");
  if (body.code !== "invalid_record")
    assertEqual(body.errors !== undefined, body.code === "invalid_parameter", "a list of errors");
}

/** Optional fields are present in every element when requested, and missing otherwise. */
function checkMembers({ pathname, searchParams }: URL, body: unknown): void {
  const { elements, possible } = elementsOf(pathname, searchParams, body);
  const asked = searchParams.get("include")?.split(",") ?? [];
  const added = new Set<string>();
  for (const [name, fields] of Object.entries(INCLUDED_FIELDS) as [Included, object][]) {
    for (const member of Object.keys(fields)) {
      const isAdded = possible.includes(name) && asked.includes(name);
      if (isAdded) added.add(member);
      for (const element of elements) assertEqual(member in element, isAdded, `a member ${member}`);
    }
  }
  const isList = ["search", "nearby", "reverse"].some((name) => pathname === `/api/maps/${name}`);
  if (isList && pathname !== "/api/maps/reverse")
    assertEqual("total" in (body as object), asked.includes("total"), "a total");
  const fields = pathname === "/api/maps/autocomplete" ? undefined : searchParams.get("fields")?.split(",");
  if (asked.includes("areas")) added.add("location.address.district");
  if (fields) checkChosenFields(elements, new Set(["data_id", "redirected_from", ...fields, ...added]));
  else if (isList)
    for (const member of Object.keys(fullFields))
      for (const element of elements)
        assertEqual(member in element, searchParams.get("type") === "full", `a member ${member}`);
}

/** Every member is chosen, or holds or is part of a chosen one. */
function checkChosenFields(elements: readonly object[], fields: ReadonlySet<string>): void {
  const isChosen = (path: string): boolean =>
    [...fields].some(
      (field) => field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`),
    );
  const check = (value: unknown, path: string): void => {
    if (path !== "" && !isChosen(path)) throw new Error(`${path} was not chosen`);
    if (Array.isArray(value)) for (const element of value) check(element, path);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) check(inner, path === "" ? name : `${path}.${name}`);
  };
  for (const element of elements) {
    assertEqual("data_id" in element, true, "a data_id");
    check(element, "");
  }
}

interface Elements {
  readonly elements: readonly object[];
  /** The fields that a request may include here. */
  readonly possible: readonly Included[];
}

function elementsOf(pathname: string, searchParams: URLSearchParams, body: unknown): Elements {
  const { local_result, place_result, place_results, suggestions } = toPlainBody(body);
  const hasCentre = searchParams.has("lat") && searchParams.has("lng");
  const ofPlaces = ["periods", "freshness", "version", "names", "custom"] as const;
  const possible = [...ofPlaces, ...(hasCentre ? ["distance" as const] : [])];
  switch (pathname) {
    case "/api/maps/search":
      return {
        elements: local_result as object[],
        possible: INCLUDED_NAMES.filter((name) => name !== "version"),
      };
    case "/api/maps/nearby":
    case "/api/maps/reverse":
      return {
        elements: local_result as object[],
        possible: ["distance", "detour", "periods", "freshness", "busyness", "photo", "names", "custom"],
      };
    case "/api/maps/place":
      return { elements: [place_result as object], possible };
    case "/api/maps/places":
      return { elements: place_results as object[], possible };
    case "/api/maps/autocomplete":
      return { elements: suggestions as object[], possible: ["match"] };
    default:
      return { elements: [], possible: [] };
  }
}

/** A response with `format=geojson` in the form that it has without. */
function toPlainBody(body: unknown): Record<string, object> {
  const { type, features, properties } = body as {
    type?: string;
    features?: readonly { properties: object }[];
    properties?: object;
  };
  if (type === "Feature") return { place_result: properties! };
  if (type !== "FeatureCollection") return body as Record<string, object>;
  const elements = features!.map((feature) => feature.properties);
  return { suggestions: elements, local_result: elements, place_results: elements };
}

function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what} is ${String(actual)}, not ${String(expected)}`);
}

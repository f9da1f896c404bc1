import type { HttpContext } from "./request-state.ts";

/** The body as text; `undefined` when it is longer than `maxBytes`. The server's timeouts bound how long this takes. */
export async function readBody(ctx: HttpContext, maxBytes: number): Promise<string | undefined> {
  if (ctx.request.length > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Whether objects and lists of a JSON text are nested deeper than `maxDepth`. Brackets in strings do not count. */
export function isDeep(json: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    if (sign === '"') isInString = !isInString;
    else if (isInString && sign === "\\") at += 1;
    else if (!isInString && "{[".includes(sign)) depth += 1;
    else if (!isInString && "}]".includes(sign)) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

import { Pool } from "undici";
import type { Sender } from "./sender.ts";
import type { HttpCall, HttpTarget } from "./target.ts";

/** How an answer of our API or of the engine begins when its list is empty. */
const EMPTY_LIST = /^\{"\w+":\[\]/;

/** Over undici's pool, which keeps each connection open and asks for no compression. */
export function openHttpSender({ origin, headers }: HttpTarget, connections: number): Sender<HttpCall> {
  const pool = new Pool(origin, { connections });
  let turn = 0;
  return {
    async send({ path, body }) {
      turn += 1;
      const response = await pool.request({
        path,
        method: body === undefined ? "GET" : "POST",
        headers: headers[turn % headers.length] ?? {},
        body: body ?? null,
      });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw new Error(`${response.statusCode} ${path}: ${text.slice(0, 200)}`);
      return { isEmpty: EMPTY_LIST.test(text) };
    },
    close: () => pool.close(),
  };
}

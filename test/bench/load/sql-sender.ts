import postgres from "postgres";
import type { Sender } from "./sender.ts";
import type { SqlCall, SqlTarget } from "./target.ts";

/** Over a pool of PostgreSQL connections. Statements are prepared once for each connection, as an application would. */
export function openSqlSender({ port, user, password }: SqlTarget, connections: number): Sender<SqlCall> {
  const sql = postgres({ host: "127.0.0.1", port, user, password, database: "postgres", max: connections });
  return {
    async send({ text, values }) {
      const rows = await sql.unsafe(text, [...values], { prepare: true });
      return { isEmpty: rows.length === 0 };
    },
    close: () => sql.end(),
  };
}

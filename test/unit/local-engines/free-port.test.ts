import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { findFreePorts } from "../../../src/local-engines/own-engines.ts";

test("the ports differ and can be listened on", async () => {
  const ports = await findFreePorts(3);
  expect(new Set(ports).size).toBe(3);
  const servers = ports.map((port) => createServer().listen(port, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  expect(servers.every((server) => server.listening)).toBe(true);
  for (const server of servers) server.close();
});

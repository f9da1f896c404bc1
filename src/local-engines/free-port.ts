import { createServer, type AddressInfo, type Server } from "node:net";

const listen = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Two different loopback ports that nobody listens on. Both are held until both are known, else they could be the same. */
export async function findFreePorts(): Promise<[number, number]> {
  const servers = await Promise.all([listen(), listen()]);
  const [first, second] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(close));
  return [first as number, second as number];
}

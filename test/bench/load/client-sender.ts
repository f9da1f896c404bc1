import { Meilisearch } from "meilisearch";
import type { Sender } from "./sender.ts";
import type { ClientCall, ClientTarget } from "./target.ts";

/** The stock client, over Node's own fetch: it opens a connection for each call under way and keeps it. */
export function openClientSender({ url, key, index, compressed }: ClientTarget): Sender<ClientCall> {
  const client = new Meilisearch({
    host: url,
    ...(key !== undefined && { apiKey: key }),
    ...(!compressed && { requestInit: { headers: { "accept-encoding": "identity" } } }),
  });
  const places = client.index(index);
  return {
    async send(call) {
      if ("documentId" in call) {
        await places.getDocument(call.documentId);
        return { isEmpty: false };
      }
      const { hits } = await places.search(call.query, call.options);
      return { isEmpty: hits.length === 0 };
    },
    close: () => Promise.resolve(),
  };
}

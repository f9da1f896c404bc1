import type { EngineConnection } from "./engine-connection.ts";
import { waitForTask } from "./engine-tasks.ts";

/** Live and previous change places in one step: searches see the one or the other, never both or none. */
export async function swapWithPrevious(connection: EngineConnection): Promise<void> {
  const { client, liveUid, previousUid } = connection;
  const { taskUid } = await client.swapIndexes([{ indexes: [liveUid, previousUid], rename: false }]);
  await waitForTask(connection, taskUid);
}

import { expect, inject } from "vitest";

/** Changes something in the test run's engine without the program's knowledge. Resolves when it is done. */
export async function changeEngine(
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<void> {
  const url = inject("meilisearchUrl");
  const headers = {
    authorization: `Bearer ${inject("meilisearchKey")}`,
    "content-type": "application/json",
    // Compressed responses wait 44 ms on the socket (`connection.ts`).
    "accept-encoding": "identity",
  };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { taskUid } = (await response.json()) as { taskUid: number };
  const readStatus = async (): Promise<string> => {
    const task = await fetch(`${url}/tasks/${taskUid}`, { headers });
    return ((await task.json()) as { status: string }).status;
  };
  await expect.poll(readStatus, { timeout: 30_000 }).toBe("succeeded");
}

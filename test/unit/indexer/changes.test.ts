import { setTimeout as sleep } from "node:timers/promises";
import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { applyChanges, createAppliedTally, type LiveWriter } from "../../../indexer/changes/apply-changes.ts";
import { createChangeQueue, type Change } from "../../../indexer/changes/change-queue.ts";

const removal = (id: number, name = `n${id}`): Change => ({ identity: `0x${id}`, deleted: name, bytes: 10 });

const names = (changes: readonly Change[]): string[] =>
  changes.map((change) => ("deleted" in change ? change.deleted : ""));

async function* stream(changes: Iterable<Change>): AsyncGenerator<Change> {
  yield* changes;
}

describe("the queue of changes", () => {
  test("passes on a single change while the stream continues", async () => {
    const queue = createChangeQueue({ maxAgeMs: 20 });
    await queue.put(removal(1));
    const [first] = await Array.fromAsync({ length: 1 }, () =>
      queue.batches()[Symbol.asyncIterator]().next(),
    );
    expect(first?.done).toBe(false);
  });

  test.each([
    ["number", { maxChanges: 3 }],
    ["size", { maxBytes: 30 }],
  ])("makes the reader wait for the writer, by %s", async (_, limits) => {
    const queue = createChangeQueue({ ...limits, maxAgeMs: 60_000 });
    for (const id of [1, 2, 3]) await queue.put(removal(id));
    let isPut = false;
    const putting = queue.put(removal(4)).then(() => (isPut = true));
    await sleep(20);
    expect(isPut).toBe(false);
    const batches = queue.batches()[Symbol.asyncIterator]();
    const first = await batches.next();
    expect(names((first.value as { changes: Change[] }).changes)).toEqual(["n1", "n2", "n3"]);
    await putting;
    queue.end();
    expect(names(((await batches.next()).value as { changes: Change[] }).changes)).toEqual(["n4"]);
    expect((await batches.next()).done).toBe(true);
  });

  test("keeps the later change of a place and counts the earlier one", async () => {
    const queue = createChangeQueue();
    for (const change of [removal(1, "early"), removal(2), removal(1, "late")]) await queue.put(change);
    queue.end();
    expect(await Array.fromAsync(queue.batches())).toEqual([
      { changes: [removal(1, "late"), removal(2)], superseded: 1 },
    ]);
  });

  test("lets a change wait the longer, the more batches are not written yet", async () => {
    const queue = createChangeQueue({ maxBytes: 1_000, maxAgeMs: 50 });
    const batches = queue.batches()[Symbol.asyncIterator]();
    const unwritten = 1_000;
    for (let id = 0; id < unwritten; id += 1) {
      await queue.put({ ...removal(id), bytes: 1_000 });
      await batches.next();
    }
    await queue.put(removal(unwritten));
    const next = batches.next();
    expect(await Promise.race([next, sleep(200, "waits")])).toBe("waits");
    for (let id = 0; id < unwritten; id += 1) queue.written();
    // Otherwise that would be after 50 s.
    expect(await Promise.race([next, sleep(25_000, "waits", { ref: false })])).not.toBe("waits");
  });

  test("refuses changes after the writer has stopped", async () => {
    const queue = createChangeQueue();
    await queue.put(removal(1));
    for await (const _ of queue.batches()) break;
    await expect(queue.put(removal(2))).rejects.toThrow("Nobody takes");
  });
});

/** A writer to which every batch is known to be removals. */
const writerTo = (take: (batch: readonly Change[]) => unknown): Pick<LiveWriter, "write"> => ({
  async write(batches, onWritten) {
    for await (const batch of batches) {
      take(batch);
      await sleep(0);
      onWritten({ applied: 0, deleted: batch.length, unknown: [] });
    }
  },
});

describe("applyChanges", () => {
  test("stops reading when a batch cannot be written", async () => {
    const reading = new AbortController();
    async function* endless() {
      yield removal(1);
      await sleep(60_000, undefined, { signal: reading.signal });
    }
    const applying = applyChanges(endless(), {
      writer: { write: () => Promise.reject(new Error("disk full")) },
      applied: createAppliedTally(),
      stopReading: (reason) => reading.abort(reason),
    });
    await expect(applying).rejects.toThrow("disk full");
    expect(reading.signal.aborted).toBe(true);
  });

  test("writes the changes read before a failed read, and then fails", async () => {
    const written: string[] = [];
    async function* broken() {
      yield removal(1);
      throw new Error("breaks off");
    }
    const applying = applyChanges(broken(), {
      writer: writerTo((changes) => written.push(...names(changes))),
      applied: createAppliedTally(),
      stopReading: () => {},
    });
    await expect(applying).rejects.toThrow("breaks off");
    expect(written).toEqual(["n1"]);
  });

  test("gives every place its last change, and counts each change once", async () => {
    const ids = fc.array(fc.nat(20), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(ids, async (order) => {
        const changes = order.map((id, position) => removal(id, `${position}`));
        const state = new Map<string, string>();
        const applied = createAppliedTally();
        await applyChanges(stream(changes), {
          writer: writerTo((batch) => {
            for (const change of batch) state.set(change.identity, names([change])[0] ?? "");
          }),
          applied,
          stopReading: () => {},
        });
        expect(state).toEqual(new Map(order.map((id, position) => [`0x${id}`, `${position}`])));
        expect(applied.deleted + applied.superseded).toBe(order.length);
      }),
      { numRuns: 50 },
    );
  });
});

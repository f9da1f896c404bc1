import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { Interrupted } from "../../../src/cli/errors.ts";
import { listenForInterruption, untilAborted } from "../../../src/cli/interruption.ts";

function listen() {
  const source = new EventEmitter();
  const quits: number[] = [];
  return {
    source,
    quits,
    interruption: listenForInterruption(source, { quit: (exitCode) => void quits.push(exitCode) }),
  };
}

describe("listenForInterruption", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("%s aborts with the exit code %i, a second one quits at once", (name, exitCode) => {
    const { source, quits, interruption } = listen();
    source.emit(name);
    expect(interruption.signal.aborted).toBe(true);
    expect((interruption.signal.reason as Interrupted).exitCode).toBe(exitCode);
    expect(quits).toEqual([]);
    source.emit("SIGINT");
    expect(quits).toEqual([130]);
  });

  test("the death of its parent interrupts a child that has a channel to it, once", () => {
    const { source, quits, interruption } = listen();
    source.emit("disconnect");
    expect((interruption.signal.reason as Interrupted).exitCode).toBe(143);
    source.emit("disconnect");
    expect(quits).toEqual([]);
  });

  test("a parent that dies after the interruption does not hurry the child", () => {
    const { source, quits } = listen();
    source.emit("SIGTERM");
    source.emit("disconnect");
    expect(quits).toEqual([]);
  });

  test("a child whose parent died before it listened is interrupted at once", () => {
    const orphan = Object.assign(new EventEmitter(), { connected: false });
    expect(listenForInterruption(orphan, { quit: () => {} }).signal.aborted).toBe(true);
  });

  test("what must not be half done is not aborted any more, the person is told", () => {
    const { source, quits, interruption } = listen();
    let told = 0;
    interruption.finishUndisturbed(() => (told += 1));
    source.emit("SIGINT");
    expect(interruption.signal.aborted).toBe(false);
    expect(told).toBe(1);
    source.emit("SIGINT");
    expect(quits).toEqual([130]);
  });

  test("who was interrupted before does not begin what must not be half done", () => {
    const { source, interruption } = listen();
    source.emit("SIGTERM");
    expect(() => interruption.finishUndisturbed(() => {})).toThrow(Interrupted);
  });

  test("after its end it listens no more", () => {
    const { source, interruption } = listen();
    interruption.stop();
    expect(source.listenerCount("SIGINT") + source.listenerCount("SIGTERM")).toBe(0);
  });
});

describe("untilAborted", () => {
  test("is the promise's outcome while nobody aborts", async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(() => Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(untilAborted(() => Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });

  test("ends with the reason as soon as somebody aborts", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(() => new Promise(() => {}), controller.signal);
    controller.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
  });

  test("begins nothing when somebody did before", async () => {
    let begun = 0;
    const begin = () => Promise.resolve((begun += 1));
    await expect(untilAborted(begin, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    expect(begun).toBe(0);
  });
});

import { engineUnavailable } from "../errors.ts";
import { INDEX_VERSION } from "./index-settings.ts";

/** An index of another version that is swapped in serves no answer later than this. The look takes a third of a millisecond. */
const LOOK_AGAIN_MS = 1_000;

/** Asks only while the index is of the version that this program reads. Rejects with `engine_unavailable` while it is not. */
export type IfReadable = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Answers made from documents of another form would be wrong in ways nobody sees. The version is looked at along with the first
 * question and then once in a second; when it is another one, before every question until it is right again.
 * @param readVersion `undefined` when there is no index; may reject.
 */
export function createVersionWatch(
  readVersion: () => Promise<string | undefined>,
  clock: () => number = () => performance.now(),
): IfReadable {
  let isOther = false;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  const note = (version: string | undefined): void => {
    if (version === undefined) return;
    isOther = version !== INDEX_VERSION;
    lookedAt = clock();
  };
  // Without an answer nothing is known that was not before, and the question itself finds no engine either.
  const look = (): Promise<void> =>
    (looking ??= readVersion()
      .then(note, () => undefined)
      .finally(() => (looking = undefined)));
  const refuseOther = (): void => {
    if (isOther) throw engineUnavailable(new Error("the index is of another version: import again"));
  };

  return async (ask) => {
    if (isOther) await look();
    refuseOther();
    if (clock() - lookedAt < LOOK_AGAIN_MS) return ask();
    const [answer] = await Promise.all([ask(), look()]);
    refuseOther();
    return answer;
  };
}

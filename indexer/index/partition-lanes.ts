import type { PartitionFill } from "./partition-fill.ts";

/** As in a single index. Several are sent together (`createBatchQueue`). */
const MAX_DOCUMENTS = 1_000;
const MAX_CHARACTERS = 2_000_000;

/** Of all partitions together, so that memory does not grow with their number. */
const MAX_CHARACTERS_TOGETHER = 32_000_000;

/** All partitions learn that often how far the input was read, and store it with their next request: a resumed import continues there. */
const PLACES_PER_MARK = 20_000;

interface Lane {
  documents: string[];
  characters: number;
  /** The batch that is being sent. */
  sending: Promise<void>;
}

/**
 * Collects the documents of each partition and sends them in batches, to several engines at once.
 * @param alreadyAdded places of the input that all partitions have.
 */
export function createPartitionLanes(fills: readonly PartitionFill[], alreadyAdded: number) {
  const lanes = fills.map((): Lane => ({ documents: [], characters: 0, sending: Promise.resolve() }));
  let added = alreadyAdded;
  let marked = alreadyAdded;
  let characters = 0;

  /** Resolves once the batch before has been sent. */
  const send = async (partition: number): Promise<void> => {
    const lane = lanes[partition]!;
    await lane.sending;
    const { documents } = lane;
    characters -= lane.characters;
    lane.documents = [];
    lane.characters = 0;
    lane.sending = fills[partition]!.post(documents, added);
    // Whoever waits for it next gets its error.
    lane.sending.catch(() => undefined);
  };
  const flush = async (): Promise<void> => {
    // Each write of the engine takes seconds in a large index, also one that only stores the mark.
    if (added > marked) await Promise.all(lanes.map((_, partition) => send(partition)));
    marked = added;
    await Promise.all(lanes.map(({ sending }) => sending));
  };
  return {
    /** A place of the input, as JSON. Waits while the batch before is still being sent. */
    async add(partition: number, document: string): Promise<void> {
      const lane = lanes[partition]!;
      lane.documents.push(document);
      lane.characters += document.length;
      characters += document.length;
      added += 1;
      if (characters >= MAX_CHARACTERS_TOGETHER || added % PLACES_PER_MARK === 0) await flush();
      else if (lane.documents.length >= MAX_DOCUMENTS || lane.characters >= MAX_CHARACTERS)
        await send(partition);
    },
    /** Sends what has been collected. */
    flush,
  };
}

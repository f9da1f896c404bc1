import { CommandError } from "../../../src/cli/errors.ts";
import { giveWay } from "../../../src/cli/interruption.ts";
import type { Input } from "../input.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import { openPbfFile, readPasses, type Pass, type PbfFile } from "./pbf-file.ts";
import { createPbfPlaces } from "./pbf-places.ts";
import type { SourceContext, SourceItem } from "../source.ts";

/**
 * Reads the places of an `.osm.pbf` extract: nodes, and ways and relations with the centre of their bounding
 * box, as Overpass computes its `center`. The first pass finds the blocks with nodes, ways and relations. The
 * next passes read relations and ways to learn their nodes, and the last pass yields all three. Only the
 * points of those nodes are in memory, sixteen bytes each.
 * @throws {CommandError} also when the input is not a plain file, since it is read several times.
 */
export async function* readOsmPbf(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  if (input.path === undefined)
    throw new CommandError(`${input.name} is an .osm.pbf, which can only be read from an uncompressed file.`);
  const file = await openPbfFile(input.path);
  try {
    yield* readItems(file, input, context);
  } finally {
    await file.close();
  }
}

/**
 * The approximate share of time for finding the blocks. Reading relations and ways twice and nodes once takes
 * the rest.
 */
const FIND_SHARE = 0.25;

async function* readItems(file: PbfFile, input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const total = input.totalBytes ?? 0;
  const blocks = await file.findBlocks((byte) => {
    input.signal.throwIfAborted();
    input.setBytesRead(Math.round(byte * FIND_SHARE));
  });
  const mapElement = createOsmMapper(context);
  const places = createPbfPlaces();
  let number = 0;
  for await (const { elements, isLast, share } of readPasses(file, blocks, PASSES)) {
    input.signal.throwIfAborted();
    for (const element of elements) {
      const way = giveWay();
      if (way) await way;
      const place = isLast ? places.take(element) : places.learn(element);
      if (place === undefined) continue;
      number += 1;
      yield mapElement(place, { file: input.name, part: "element", number });
    }
    input.setBytesRead(Math.round(total * (FIND_SHARE + (1 - FIND_SHARE) * share)));
  }
  input.setBytesRead(total);
}

/** Relations and ways are read twice: they name the nodes and ways whose points are needed. */
const PASSES: readonly Pass[] = [
  ["relation", false],
  ["way", false],
  ["node", true],
  ["way", true],
  ["relation", true],
];

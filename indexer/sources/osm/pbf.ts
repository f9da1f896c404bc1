import { CommandError } from "../../../src/cli/errors.ts";
import type { Input } from "../input.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import { openPbfFile, parseElements, type Block, type BlockKind, type PbfFile } from "./pbf-file.ts";
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
  const blocks = await file.findBlocks((byte) => input.setBytesRead(Math.round(byte * FIND_SHARE)));
  const passes = planPasses(blocks);
  const work = passes.reduce((sum, { block }) => sum + block.bytes, 0);
  const mapElement = createOsmMapper(context);
  const places = createPbfPlaces();
  let done = 0;
  let number = 0;
  for (const { kind, isLast, block } of passes) {
    for (const element of parseElements(await file.readBlock(block), kind)) {
      const place = isLast ? places.take(element) : places.learn(element);
      if (place === undefined) continue;
      number += 1;
      yield mapElement(place, { file: input.name, part: "element", number });
    }
    done += block.bytes;
    input.setBytesRead(Math.round(total * (FIND_SHARE + (1 - FIND_SHARE) * (done / work))));
  }
  input.setBytesRead(total);
}

interface Pass {
  readonly kind: BlockKind;
  /** True in the pass that yields places, false in a pass that only learns their parts. */
  readonly isLast: boolean;
  readonly block: Block;
}

function planPasses(blocks: readonly Block[]): Pass[] {
  const passesOf = (kind: BlockKind, isLast: boolean): Pass[] =>
    blocks.filter(({ kinds }) => kinds.has(kind)).map((block) => ({ kind, isLast, block }));
  return [
    ...passesOf("relation", false),
    ...passesOf("way", false),
    ...passesOf("node", true),
    ...passesOf("way", true),
    ...passesOf("relation", true),
  ];
}

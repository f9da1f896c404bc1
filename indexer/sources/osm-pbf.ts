import { ImportError } from "../import-error.ts";
import type { Input } from "./input.ts";
import { createOsmMapper } from "./osm/osm-mapper.ts";
import { openPbfFile, type Block, type BlockKind, type PbfFile } from "./osm/pbf-file.ts";
import { createPbfPlaces } from "./osm/pbf-places.ts";
import { parseElements } from "./osm/pbf-elements.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/**
 * The places of an `.osm.pbf` extract: nodes, and ways and relations with the middle of the box around them, as Overpass
 * computes its `center`. The file is looked through once to find out where its nodes, ways and relations lie; then relations
 * and ways are read to learn which nodes they are made of, and all three once more to be handed out. In memory are the points
 * of those nodes only, sixteen bytes each.
 * @throws {ImportError} also when the input is no plain file, since it is read several times.
 */
export async function* readOsmPbf(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  if (input.path === undefined)
    throw new ImportError(`${input.name} is an .osm.pbf, which is read from a plain file only.`);
  const file = await openPbfFile(input.path);
  try {
    yield* readPlaces(file, input, context);
  } finally {
    await file.close();
  }
}

/** Finding the blocks, reading relations and ways twice and nodes once each take about their part of the time. */
const FIND_SHARE = 0.25;

async function* readPlaces(file: PbfFile, input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
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
  /** Whether places are handed out, or it is only learned what they need. */
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

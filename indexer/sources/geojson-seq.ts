import type { Input } from "./input.ts";
import { readJsonLines } from "./json-lines.ts";
import { readLines } from "./native/lines.ts";
import { toOsmElement } from "./osm/geojson-feature.ts";
import { createOsmMapper } from "./osm/osm-mapper.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/**
 * OpenStreetMap features one after the other, as osmium writes them: one a line, or as a text sequence (RFC 8142) whose
 * records begin with a record separator and may have line ends within. A bad record is rejected and the next one read; one
 * that breaks off at the end of the file ends the import.
 */
export async function* readGeojsonSeq(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  const records = createRecords(input.chunks());
  for await (const line of readJsonLines(readLines(records.chunks), input.name)) {
    const position = records.toPosition(line.number, input.name);
    if ("rejected" in line) yield { position, record: line.text, rejected: line.rejected };
    else yield { ...mapElement(toOsmElement(line.value), position), record: line.value };
  }
}

const RECORD_SEPARATOR = 0x1e;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * A text sequence as lines: a line end within a record is nothing but white space, and each separator ends the record before
 * it; the last is complete when a line end follows it. A file of lines passes as it is. The first byte tells which it is.
 */
function createRecords(chunks: AsyncIterable<Buffer>) {
  let isSequence: boolean | undefined;
  async function* toLines(): AsyncGenerator<Buffer> {
    let lastByte: number | undefined;
    for await (const chunk of chunks) {
      isSequence ??= chunk[0] === RECORD_SEPARATOR;
      lastByte = chunk.at(-1);
      yield isSequence ? Buffer.from(chunk.map(toLineByte)) : chunk;
    }
    if (isSequence && lastByte === LINE_FEED) yield Buffer.of(LINE_FEED);
  }
  return {
    chunks: toLines(),
    /** The separator before the first record ends an empty one. */
    toPosition: (lineNumber: number, file: string): SourceItem["position"] =>
      isSequence
        ? { file, part: "element", number: lineNumber - 1 }
        : { file, part: "line", number: lineNumber },
  };
}

const toLineByte = (byte: number): number =>
  byte === LINE_FEED ? SPACE : byte === RECORD_SEPARATOR ? LINE_FEED : byte;

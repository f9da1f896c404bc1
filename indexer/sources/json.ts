import { CommandError } from "../../src/cli/errors.ts";
import { giveWay } from "../../src/cli/interruption.ts";
import { none } from "stream-chain/core";
import { getManyValues, isMany } from "stream-chain/defs.js";
import { Assembler } from "stream-json/assembler.js";
import { jsonParser, type Token } from "stream-json/parser.js";
import type { Input } from "./input.ts";

/** Used instead of a field's name when the file itself is the list. */
export const TOP_LIST = Symbol("the list at the top of the file");

/** Called for text fields of the outermost object, with name and text. */
type OnText = (name: string, text: string) => void;

/**
 * Reads the elements of one list in the outermost object of a JSON file (`elements` of `{"version": 0.6,
 * "elements": […]}`), or with `TOP_LIST` of the list that is the whole file. Yields them one at a time, so
 * the file may be larger than the memory. `onText` is called for text fields of the outermost object.
 * @throws {CommandError} when the file is malformed, cut off, or has no such list.
 */
export async function* readJsonList(
  input: Input,
  field: string | typeof TOP_LIST,
  onText: OnText = () => {},
): AsyncGenerator<unknown> {
  const listName = field === TOP_LIST ? "the list" : `"${field}"`;
  const collector = createListCollector(field, onText);
  const position = { byte: 0 };
  let count = 0;
  try {
    for await (const tokens of readTokens(input.chunks(), position)) {
      for (const token of tokens) {
        if (!collector.consume(token)) continue;
        count += 1;
        yield collector.element();
        const way = giveWay();
        if (way) await way;
      }
    }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const where = `soon after element ${count} of ${listName}, near byte ${position.byte}`;
    throw new CommandError(`${input.name} is broken or cut off ${where}: ${error.message}.`, {
      cause: error,
    });
  }
  if (!collector.hasSeenList()) throw new CommandError(noList(input.name, field));
}

const noList = (name: string, field: string | typeof TOP_LIST): string =>
  field === TOP_LIST ? `${name} is not a JSON list.` : `${name} has no "${field}" list at its top.`;

/** Separates errors of the parser and the decoder from errors in processing the elements. */
class JsonProblem extends Error {
  override readonly name = "JsonProblem";
}

/** An error is reported at the end of the piece that contains it. Small pieces locate it better. */
const PIECE_BYTES = 4096;

async function* readTokens(
  chunks: AsyncIterable<Buffer>,
  position: { byte: number },
): AsyncGenerator<Token[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parse = jsonParser({ packValues: true, streamValues: false });
  const toTokens = (text: () => string | typeof none): Token[] => {
    try {
      const tokens = parse(text() as string);
      if (tokens === none) return [];
      return (isMany(tokens) ? getManyValues(tokens) : [tokens]) as Token[];
    } catch (error) {
      throw new JsonProblem(error instanceof TypeError ? "it is not valid UTF-8" : (error as Error).message);
    }
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      position.byte += piece.length;
      await giveWay();
      yield toTokens(() => decoder.decode(piece, { stream: true }));
    }
  }
  yield toTokens(() => decoder.decode());
  yield toTokens(() => none);
}

/** Follows the tokens to the list and assembles its elements. Discards everything else. */
function createListCollector(field: string | typeof TOP_LIST, onText: OnText) {
  let depth = 0;
  let key = "";
  let isInList = false;
  let hasSeenList = false;
  let assembler = new Assembler();

  const isWanted = (): boolean => (field === TOP_LIST ? depth === 0 : depth === 1 && key === field);

  const skip = (token: Token): void => {
    if (token.name === "startObject" || token.name === "startArray") {
      isInList = token.name === "startArray" && isWanted();
      hasSeenList ||= isInList;
      depth += 1;
    } else if (token.name === "endObject" || token.name === "endArray") depth -= 1;
    else if (depth !== 1) return;
    else if (token.name === "keyValue") key = token.value;
    else if (token.name === "stringValue") onText(key, token.value);
  };

  return {
    /** True when this token completed an element. */
    consume(token: Token): boolean {
      if (!isInList) skip(token);
      else if (token.name === "endArray" && assembler.depth === 0) {
        isInList = false;
        depth -= 1;
      } else {
        assembler.consume(token);
        return assembler.done;
      }
      return false;
    },
    element(): unknown {
      const element: unknown = assembler.current;
      assembler = new Assembler();
      return element;
    },
    hasSeenList: () => hasSeenList,
  };
}

/** The value of a JSON text; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Characters on each side of the error: enough to find it in an editor. */
const SHOWN_LENGTH = 30;

/**
 * The JavaScript engine gives the position, or shows the surroundings itself: `Unexpected token '}',
 * ..."a","b":}" is not valid JSON`.
 */
const POSITION = /at position (\d{1,9})/;

/** Describes where a text stops being JSON: `character 12: …"a" tru}…`. Short texts are shown whole. */
export function describeJsonError({ message }: SyntaxError, text: string): string {
  if (text.length <= 2 * SHOWN_LENGTH) return text;
  const [, digits] = POSITION.exec(message) ?? [];
  if (digits === undefined) return message;
  const position = Number(digits);
  const [start, end] = [Math.max(0, position - SHOWN_LENGTH), position + SHOWN_LENGTH];
  const shown = text.slice(start, end).toWellFormed();
  return `character ${position + 1}: ${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

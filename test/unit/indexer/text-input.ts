import type { Input } from "../../../indexer/sources/input.ts";
import type { ReadSource, SourceContext, SourceItem } from "../../../indexer/sources/source.ts";

/** An input that hands out its bytes in pieces of the given size. */
export function textInput(content: string | Buffer, pieceBytes = 7): Input {
  const bytes = Buffer.from(content);
  let bytesRead = 0;
  return {
    name: "test-file",
    path: undefined,
    totalBytes: bytes.length,
    bytesRead: () => bytesRead,
    bytesGiven: () => bytesRead,
    setBytesRead: (count) => void (bytesRead = count),
    async *chunks() {
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        const piece = bytes.subarray(start, start + pieceBytes);
        bytesRead += piece.length;
        yield piece;
      }
    },
    signal: new AbortController().signal,
    close() {},
  };
}

export const TODAY = Temporal.PlainDate.from("2026-11-20");

/** A context that writes down its notes as `field: kind`. */
export function noteTaker(): { context: SourceContext; notes: string[] } {
  const notes: string[] = [];
  return { notes, context: { today: TODAY, note: (field, kind) => notes.push(`${field}: ${kind}`) } };
}

/** All items of a source; `pieceBytes` decides where the input is cut. */
export async function readAll(
  read: ReadSource,
  content: string | Buffer,
  pieceBytes = 7,
): Promise<SourceItem[]> {
  return Array.fromAsync(read(textInput(content, pieceBytes), noteTaker().context));
}

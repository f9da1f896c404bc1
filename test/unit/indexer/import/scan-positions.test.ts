import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { scanPositions } from "../../../../indexer/import/scan-positions.ts";
import { openSources } from "../../../../indexer/sources/open-sources.ts";
import { noteTaker } from "../text-input.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-scan-positions-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["utf8", "utf16le"] as const)(
  "a table in %s is scanned, and then read from its beginning",
  async (encoding) => {
    const path = join(folder, `${encoding}.csv`);
    writeFileSync(
      path,
      Buffer.from("\uFEFFtên\tvĩ độ\tkinh độ\nLặng\t21.0285\t105.8542\nPhin\t\t\n", encoding),
    );
    const { signal } = new AbortController();
    const opened = await openSources([path], { signal, stdin: Readable.from([]) });
    const { borders, sources, remove } = await scanPositions(opened, signal);
    expect(borders.places).toBe(1);
    const [source] = sources;
    const items = await Array.fromAsync(source!.read(source!.input, noteTaker().context));
    expect(items).toMatchObject([{ draft: { title: "Lặng" } }, { draft: { title: "Phin" } }]);
    await remove();
  },
);

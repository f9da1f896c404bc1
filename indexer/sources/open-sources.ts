import type { Readable } from "node:stream";
import { ImportError } from "../import-error.ts";
import { detectFormat, type FormatName } from "./detect-format.ts";
import { readGeojson } from "./geojson.ts";
import { openInput, type Input } from "./input.ts";
import { readNative } from "./native.ts";
import { readOverpass } from "./overpass.ts";
import type { ReadSource } from "./source.ts";

/** An input and the reader of its format. */
export interface Source {
  readonly input: Input;
  readonly format: FormatName;
  readonly read: ReadSource;
}

/** What a person may ask for: `osm` stands for both of its formats. */
export type FormatOption = "native" | "osm";

const READERS: Readonly<Record<FormatName, ReadSource>> = {
  native: readNative,
  overpass: readOverpass,
  geojson: readGeojson,
};

const FORMATS_OF_OPTION: Readonly<Record<FormatOption, readonly FormatName[]>> = {
  native: ["native"],
  osm: ["overpass", "geojson"],
};

const SUPPORTED =
  'Supported are native JSON lines (docs/data-format.md), Overpass JSON ({"version": …, "elements": […]}) ' +
  'and GeoJSON ({"type": "FeatureCollection", "features": […]}).';

interface OpenOptions {
  readonly format?: FormatOption | undefined;
  readonly signal: AbortSignal;
  readonly stdin: Readable;
}

/**
 * Opens every input and finds out what it is, before anything else is begun.
 * @throws {ImportError} for a file that cannot be read or is of no known format.
 */
export async function openSources(paths: readonly string[], options: OpenOptions): Promise<Source[]> {
  const inputs: Input[] = [];
  try {
    for (const path of paths) inputs.push(await openInput(path, options.signal, options.stdin));
    return inputs.map((input) => {
      const format = chooseFormat(input, options.format);
      return { input, format, read: READERS[format] };
    });
  } catch (error) {
    for (const input of inputs) input.close();
    throw error;
  }
}

/** Lets go of the files. */
export function closeSources(sources: readonly Source[]): void {
  for (const { input } of sources) input.close();
}

function chooseFormat({ name, head }: Input, option: FormatOption | undefined): FormatName {
  if (head.length === 0) throw new ImportError(`${name} is empty.`);
  const found = detectFormat(head);
  if (found && (!option || FORMATS_OF_OPTION[option].includes(found))) return found;
  if (found) throw new ImportError(`${name} looks like ${found}, not like ${option}: leave out --format.`);
  if (option === "native") return "native";
  throw new ImportError(`${name} is of no format that is known here. ${SUPPORTED}`);
}

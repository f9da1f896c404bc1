import { VectorTile } from "@mapbox/vector-tile";
import { readFileSync } from "node:fs";
import { PbfReader } from "pbf";
import { PMTiles } from "pmtiles";

/** Opens a PMTiles file with the reader that browsers use. */
export function openArchive(path: string): PMTiles {
  const bytes = readFileSync(path);
  return new PMTiles({
    getKey: () => path,
    getBytes: async (offset, length) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  });
}

interface ReadFeature {
  readonly tags: Record<string, number | string | boolean>;
  readonly geometry: { readonly x: number; readonly y: number }[][];
  /** The same as shares of the tile. */
  readonly shares: { readonly x: number; readonly y: number }[][];
}

/** The features of a tile by layer; `undefined` when there is no such tile. */
export async function readTile(
  archive: PMTiles,
  z: number,
  x: number,
  y: number,
): Promise<Record<string, ReadFeature[]> | undefined> {
  const found = await archive.getZxy(z, x, y);
  if (!found) return undefined;
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(found.data)));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, index) => {
        const feature = layer.feature(index);
        const geometry = feature.loadGeometry();
        const toShare = ({ x: column, y: row }: { x: number; y: number }) => ({
          x: column / feature.extent,
          y: row / feature.extent,
        });
        const shares = geometry.map((line) => line.map(toShare));
        return { tags: feature.properties as ReadFeature["tags"], geometry, shares };
      }),
    ]),
  );
}

import type { Coordinates } from "../../../src/place/coordinates.ts";

/** OpenStreetMap's coordinates have seven decimals, which fit into 32 bits. */
const UNITS_PER_DEGREE = 1e7;

const UNKNOWN = 0x7fffffff;

/** Grows by half: a country needs some millions. */
const FIRST_CAPACITY = 1 << 16;

/** Ids of nodes, collected one by one in any order and with repetitions, eight bytes each. */
export function createIdList() {
  let ids = new Float64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    add(id: number): void {
      if (length === ids.length) {
        const larger = new Float64Array(Math.ceil(ids.length * 1.5));
        larger.set(ids);
        ids = larger;
      }
      ids[length] = id;
      length += 1;
    },
    /** In order, each once. The list is empty afterwards. */
    takeSorted(): Float64Array {
      const sorted = ids.subarray(0, length).sort();
      let count = 0;
      for (let index = 0; index < length; index += 1) {
        const id = sorted[index] ?? 0;
        if (count === 0 || sorted[count - 1] !== id) sorted[count++] = id;
      }
      const taken = sorted.slice(0, count);
      ids = new Float64Array(0);
      length = 0;
      return taken;
    },
  };
}

/** The points of the nodes whose ids are given in order, sixteen bytes each. */
export function createNodePoints(ids: Float64Array) {
  const latitudes = new Int32Array(ids.length).fill(UNKNOWN);
  const longitudes = new Int32Array(ids.length);
  let hint = 0;

  /** Nodes mostly come in the order of their ids, so that the next one is the one after the last. */
  const indexOf = (id: number): number => {
    if (ids[hint] === id) return hint;
    if (ids[hint + 1] === id) return (hint += 1);
    const index = lowerBound(ids, id);
    if (index < ids.length) hint = index;
    return ids[index] === id ? index : -1;
  };

  return {
    /** Keeps the point of a node that is wanted; others pass by. */
    set(id: number, { latitude, longitude }: Coordinates): void {
      const index = indexOf(id);
      if (index === -1) return;
      latitudes[index] = Math.round(latitude * UNITS_PER_DEGREE);
      longitudes[index] = Math.round(longitude * UNITS_PER_DEGREE);
    },
    /** `undefined` for a node that the file does not have: extracts are cut along their border. */
    get(id: number): Coordinates | undefined {
      const index = indexOf(id);
      const latitude = latitudes[index] ?? UNKNOWN;
      if (latitude === UNKNOWN) return undefined;
      return {
        latitude: latitude / UNITS_PER_DEGREE,
        longitude: (longitudes[index] ?? 0) / UNITS_PER_DEGREE,
      };
    },
  };
}

export type NodePoints = ReturnType<typeof createNodePoints>;

/** The first index whose id is not below the given one. */
function lowerBound(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

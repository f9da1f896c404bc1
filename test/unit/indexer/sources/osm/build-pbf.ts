import { deflateSync, zstdCompressSync } from "node:zlib";

type Tags = Record<string, string>;

/** What a test puts into an extract; coordinates in degrees. */
export interface PbfContent {
  nodes?: { id: number; lat: number; lon: number; tags?: Tags }[];
  ways?: { id: number; refs: number[]; tags?: Tags }[];
  relations?: {
    id: number;
    members: { type: "node" | "way" | "relation"; ref: number; role?: string }[];
    tags?: Tags;
  }[];
}

export type Packing = "raw" | "zlib" | "zstd" | "lzma";

/** An `.osm.pbf` with one block for each kind, in the given order of kinds. */
export function buildPbf(
  content: PbfContent,
  packing: Packing = "zlib",
  order: (keyof PbfContent)[] = ["nodes", "ways", "relations"],
  features: string[] = ["OsmSchema-V0.6", "DenseNodes"],
): Buffer {
  const header = features.map((feature) => bytesField(4, Buffer.from(feature)));
  return Buffer.concat([
    blob("OSMHeader", Buffer.concat(header), packing),
    ...order.map((kind) => blob("OSMData", primitiveBlock({ [kind]: content[kind] }), packing)),
  ]);
}

const PACKERS: Record<Packing, (data: Buffer) => [field: number, data: Buffer]> = {
  raw: (data) => [1, data],
  zlib: (data) => [3, deflateSync(data)],
  zstd: (data) => [7, zstdCompressSync(data)],
  lzma: (data) => [4, data],
};

function blob(type: string, data: Buffer, packing: Packing): Buffer {
  const [field, packed] = PACKERS[packing](data);
  const body = Buffer.concat([numberField(2, data.length), bytesField(field, packed)]);
  const header = Buffer.concat([bytesField(1, Buffer.from(type)), numberField(3, body.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, body]);
}

const MEMBER_TYPES = ["node", "way", "relation"];

function primitiveBlock({ nodes = [], ways = [], relations = [] }: PbfContent): Buffer {
  const strings = [""];
  const indexOf = (text: string): number => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const tagFields = (tags: Tags = {}): Buffer =>
    Buffer.concat([
      packed(2, Object.keys(tags).map(indexOf).map(varint)),
      packed(3, Object.values(tags).map(indexOf).map(varint)),
    ]);
  const dense = Buffer.concat([
    packed(1, deltas(nodes.map(({ id }) => id))),
    packed(8, deltas(nodes.map(({ lat }) => Math.round(lat * 1e7)))),
    packed(9, deltas(nodes.map(({ lon }) => Math.round(lon * 1e7)))),
    packed(
      10,
      nodes.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(indexOf), 0]).map(varint),
    ),
  ]);
  const wayFields = ways.map(({ id, refs, tags }) =>
    bytesField(3, Buffer.concat([numberField(1, id), tagFields(tags), packed(8, deltas(refs))])),
  );
  const relationFields = relations.map(({ id, members, tags }) =>
    bytesField(
      4,
      Buffer.concat([
        numberField(1, id),
        tagFields(tags),
        packed(
          8,
          members.map(({ role = "" }) => varint(indexOf(role))),
        ),
        packed(9, deltas(members.map(({ ref }) => ref))),
        packed(
          10,
          members.map(({ type }) => varint(MEMBER_TYPES.indexOf(type))),
        ),
      ]),
    ),
  );
  const groups = [...(nodes.length > 0 ? [bytesField(2, dense)] : []), ...wayFields, ...relationFields].map(
    (group) => bytesField(2, group),
  );
  const table = Buffer.concat(strings.map((text) => bytesField(1, Buffer.from(text))));
  return Buffer.concat([bytesField(1, table), ...groups]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Differences from one to the next, the sign in the last bit. */
const deltas = (values: number[]): Buffer[] =>
  values.map((value, index) => {
    const difference = value - (values[index - 1] ?? 0);
    return varint(difference < 0 ? -difference * 2 - 1 : difference * 2);
  });

const numberField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)]);

const bytesField = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);

const packed = (field: number, values: Buffer[]): Buffer => bytesField(field, Buffer.concat(values));

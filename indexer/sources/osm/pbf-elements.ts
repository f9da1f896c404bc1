import { parse } from "osm-pbf-parser-node";
import type { OsmTags } from "./osm-element.ts";

export interface PbfNode {
  readonly type: "node";
  readonly id: number;
  readonly lat: number;
  readonly lon: number;
  readonly tags?: OsmTags;
}

export interface PbfWay {
  readonly type: "way";
  readonly id: number;
  /** Ids of nodes. */
  readonly refs: readonly number[];
  readonly tags?: OsmTags;
}

export interface PbfRelation {
  readonly type: "relation";
  readonly id: number;
  readonly members: readonly { readonly type: "node" | "way" | "relation"; readonly ref: number }[];
  readonly tags?: OsmTags;
}

export type PbfElement = PbfNode | PbfWay | PbfRelation;

/** The elements of one kind in an unpacked primitive block. */
export function parseElements(block: Buffer, kind: PbfElement["type"]): PbfElement[] {
  const elements = parse(block, {}) as PbfElement[];
  return elements.filter(({ type }) => type === kind);
}

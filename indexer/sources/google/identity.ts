import { isCoordinates, type Coordinates } from "../../../src/place/coordinates.ts";
import { buildDataId, parseDataId } from "../../../src/place/data-id.ts";
import { leafCell } from "../../leaf-cell.ts";
import type { NoteField, PlaceDraft, Rejection } from "../../place-draft.ts";

/** What Google calls a place. Empty texts where a record does not have it. */
export interface GoogleIds {
  /** `0x<cell>:0x<cid>` in hex. */
  readonly dataId: string;
  /** The second half of the data id, in decimal. */
  readonly cid: string;
  /** `ChIJ…` */
  readonly placeId: string;
  /** The address of the place's page, which holds its data id. */
  readonly link: string;
}

type Identity = Pick<PlaceDraft, "data_id" | "source" | "source_id" | "place_id">;

const SOURCE = "google";

const DATA_ID_IN_LINK = /0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}/i;

/**
 * The record's data id, or the same made of its cid and its point: both have the cid as their second half, which is the
 * identity of a place. Without either the place id identifies it.
 */
export function identityOf(ids: GoogleIds, point: Coordinates, note: NoteField): Identity | Rejection {
  const dataId = ownDataId(ids, note) || dataIdOfCid(ids.cid, point, note);
  const sourceId = ids.placeId || ids.cid || dataId;
  if (sourceId === "") return { field: "data_id", reason: "missing, and no cid or place_id either" };
  return {
    data_id: dataId,
    source: SOURCE,
    source_id: sourceId,
    ...(ids.placeId && { place_id: ids.placeId }),
  };
}

function ownDataId({ dataId, link }: GoogleIds, note: NoteField): string {
  const own = parseDataId(dataId.trim());
  if (dataId.trim() !== "" && own === undefined)
    note("data_id", "not of the form 0x<hex>:0x<hex>, another id used");
  return own ?? parseDataId(DATA_ID_IN_LINK.exec(link)?.[0] ?? "") ?? "";
}

const MAX_CID = 2n ** 64n - 1n;

function dataIdOfCid(cid: string, point: Coordinates, note: NoteField): string {
  if (cid === "") return "";
  const identity = /^\d{1,20}$/.test(cid) ? BigInt(cid) : 0n;
  if (identity > 0n && identity <= MAX_CID)
    return buildDataId(isCoordinates(point) ? leafCell(point) : 0n, identity);
  note("cid", "not a number of 64 bits, another id used");
  return "";
}

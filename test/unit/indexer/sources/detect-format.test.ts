import { describe, expect, test } from "vitest";
import { buildPbf } from "./osm/build-pbf.ts";
import { detectFormat } from "../../../../indexer/sources/formats.ts";
import { buildHead } from "../../../../indexer/sources/head.ts";

const RECORD = '{"title":"Phở Thìn","location":{"latitude":21,"longitude":105}}';

const formatOf = (content: string | Buffer) => detectFormat(buildHead(Buffer.from(content)))?.name;

describe("detectFormat", () => {
  test.each([
    ["an Overpass answer", '{"version":0.6,"generator":"x","elements":[', "overpass"],
    ["an Overpass answer with room in it", '{\n  "version": 0.6,\n  "osm3s": {', "overpass"],
    ["a GeoJSON collection", '{"type":"FeatureCollection","features":[', "geojson"],
    [
      "a GeoJSON collection with its type last",
      '{"generator":"x","features":[{"type":"Feature"}],',
      "geojson",
    ],
    ["one native record", RECORD, "native"],
    ["native records", `${RECORD}\n${RECORD}\n`, "native"],
    ["a native record with a byte order mark", `\uFEFF${RECORD}`, "native"],
    ["native records after a broken line", `{"title\n\n${RECORD}\n`, "native"],
    ["the beginning of a long native record", '{"title":"Phở Thìn","review_list":[{"text":"rất', "native"],
    ["one JSON list of native records", ` [\n ${RECORD},`, "native list"],
    ["native records in an object", `{"count":2,"places":[${RECORD},`, "native places"],
    ["an answer of our search", `{"local_result":[${RECORD}]}`, "search answer"],
    ["an answer about one place", `{"place_result":${RECORD}}`, "native"],
    ["a CSV", "source_id;Title;latitude;longitude\n", "csv"],
    ["a CSV without ids", '"title",latitude,longitude\n', "csv"],
    ["a CSV with Vietnamese headers", "Tên quán;Vĩ độ;Kinh độ\n", "csv"],
    ["a CSV with addresses only", "name,address\n", "csv"],
    [
      "GeoJSON points with the columns of a table",
      '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point"},"properties":{"Tên":"x","SĐT":"1"}}',
      "geojson table",
    ],
    ["a native record whose fields resemble others", '{"type":"COFFEE","features":{},"title":"x"}', "native"],
    [
      "one GeoJSON feature a line",
      '{"type":"Feature","geometry":null,"properties":{"name":"x"}}\n',
      "geojson features",
    ],
    [
      "one GeoJSON feature over several lines",
      '{\n"type": "Feature",\n"geometry": null\n}\n',
      "geojson features",
    ],
    [
      "one Overture place",
      '{\n"type": "Feature",\n"properties": {\n"theme": "places"\n}\n}\n',
      "overture features",
    ],
    [
      "GeoJSON lines of which the first is broken",
      '{"type":"Feature","geometry":nul\n{"type":"Feature","geometry":null}\n',
      "geojson features",
    ],
    ["a GeoJSON text sequence", '\u001E{"type":"Feature",\n"geometry":null}\n', "geojson features"],
    ["an extract", buildPbf({}), "osm.pbf"],
    ["an answer of SerpApi", '{\n "search_metadata": {"id": "x"},', "serpapi"],
    ["places of SerpApi", '[{"title":"x","gps_coordinates":{"latitude":1}}]', "serpapi list"],
    ["native records over several lines", `{\n"title": "x"\n}\n{\n"title": "y"\n}\n`, "native"],
    ["features over several lines", '{\n"type": "Feature"\n}\n{\n"type": "Feature"\n}\n', "geojson features"],
    [
      "an Overture place of 2023, with nested fields as text",
      '{"type":"FeatureCollection","features":[{"properties":{"names":"{\\"common\\":[]}","categories":"{}"}}',
      "overture",
    ],
    [
      "a response of Google's Places API",
      '{\n"places": [\n{"location":{},"displayName":{"text":"x"}',
      "google",
    ],
    ["places of Google's Places API", '[{"location":{},"displayName":{"text":"x"}', "google list"],
    ["Apify's list", '[{\n"searchString":"x",\n"title":"x","categoryName":"x","location":{', "apify list"],
    ["Apify's lines", '{"title":"x","location":{"lat":1},"totalScore":4}\n', "apify lines"],
    ["Apify's CSV", "title,totalScore,location/lat,location/lng,placeId\n", "apify csv"],
    ["Outscraper's list", '[{"name":"x","google_id":"0x1:0x2"}]', "outscraper list"],
    [
      "Outscraper's response",
      '{"id":"x","status":"Success","data":[[{"query":"x","google_id":""}]]}',
      "outscraper",
    ],
    ["Outscraper's CSV", "name,full_address,latitude,longitude,working_hours,google_id\n", "outscraper csv"],
    [
      "a venue of Who's On First",
      '{\n"type":"Feature",\n"properties":{\n"wof:name":"x"}}',
      "whosonfirst features",
    ],
    [
      "venues of Who's On First",
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"wof:id":1}}]}',
      "whosonfirst",
    ],
    ["gosom's lines", '{"input_id":"","link":"","title":"x","open_hours":{}}\n', "gosom lines"],
    ["gosom's CSV", "input_id,link,title,category,address,open_hours\n", "gosom csv"],
    ["gosom's list", '[\n{"title":"x","longtitude":106}]', "gosom list"],
  ])("%s is detected from its beginning", (_, text, format) => {
    expect(formatOf(text)).toBe(format);
  });

  test.each([
    ["nothing", ""],
    ["CSV", "street,height\nLê Lợi,21\n"],
    ["XML", '<?xml version="1.0"?><osm></osm>'],
    ["a list of something else", '[{"name":"x"}]'],
    ["lines of something else", '{"id":"x","name":"x","location":{"type":"Point"}}\n'],
    ["some other JSON", '{"towns":[{"title":"x"}]}'],
    ["binary data", Buffer.from([0x00, 0x00, 0x00, 0x0d, 0x0a, 0x09, 0xff, 0xfe])],
  ])("%s has no known format", (_, content) => {
    expect(formatOf(content)).toBeUndefined();
  });
});

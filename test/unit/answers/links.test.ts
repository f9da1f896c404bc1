import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildDocsLink,
  buildExternalMapsLink,
  buildPlaceLink,
  buildSearchLink,
} from "../../../src/answers/links.ts";

const LINKS = {
  publicBaseUrl: "https://places.example",
  externalMapsUrl: "https://maps.example/?ftid={data_id}",
};
const CENTRE = { latitude: 10.801671, longitude: 106.61744 };

describe("buildSearchLink", () => {
  test("percent-encodes the title and writes coordinates with a decimal comma", () => {
    expect(buildSearchLink("Phở 24 & Cà phê", CENTRE, LINKS)).toBe(
      "https://places.example/api/maps/search?q=Ph%E1%BB%9F%2024%20%26%20C%C3%A0%20ph%C3%AA&lat=10,801671&lng=106,61744",
    );
  });

  test.each([
    [0, "0"],
    [-0, "0"],
    [1e-7, "0,0000001"],
    [-1e-9, "0"],
    [100, "100"],
    [-180, "-180"],
    [106.660_172_001_234_5, "106,660172"],
    [0.1 + 0.2, "0,3"],
  ])("writes %d as %s", (longitude, written) => {
    expect(buildSearchLink("a", { latitude: 0, longitude }, LINKS)).toMatch(`&lat=0&lng=${written}`);
    expect(buildSearchLink("a", { latitude: 0, longitude }, LINKS).endsWith(`&lng=${written}`)).toBe(true);
  });

  test.each([
    ["half a pair of surrogates", "Caf\uD83D bar", "Caf  bar"],
    ["control characters", "Phở\u0000\u001bThìn", "Phở Thìn"],
    ["the sign of broken text", "Ph\uFFFD Thìn", "Ph  Thìn"],
    ["decomposed marks", "Pho\u031B\u0309", "Phở"],
    ["more characters than a search accepts", "🍜".repeat(300), "🍜".repeat(256)],
  ])("makes an acceptable query of a title with %s", (_, title, q) => {
    expect(new URL(buildSearchLink(title, CENTRE, LINKS)).searchParams.get("q")).toBe(q);
  });

  test("reads back through a URL with the comma rule, whatever the title and the centre", () => {
    const point = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), point, (title, centre) => {
        const { searchParams } = new URL(buildSearchLink(title, centre, LINKS));
        const lat = searchParams.get("lat") ?? "";
        const lng = searchParams.get("lng") ?? "";
        expect([...searchParams.keys()]).toEqual(["q", "lat", "lng"]);
        expect(`${lat} ${lng}`).toMatch(/^-?\d{1,2}(?:,\d{1,7})? -?\d{1,3}(?:,\d{1,7})?$/);
        expect(Number(lat.replace(",", "."))).toBeCloseTo(centre.latitude, 6);
        expect(Number(lng.replace(",", "."))).toBeCloseTo(centre.longitude, 6);
        expect(Array.from(searchParams.get("q") ?? "").length).toBeLessThanOrEqual(256);
      }),
    );
  });
});

test("the link to a place has its colon percent-encoded", () => {
  expect(buildPlaceLink("0x1a:0x2b", LINKS)).toBe(
    "https://places.example/api/maps/place?data_id=0x1a%3A0x2b",
  );
});

describe("buildExternalMapsLink", () => {
  const place = { ...CENTRE, dataId: "0x1a:0x2b", title: "Bún $& bò" };

  test("opens Google Maps at the point, with the percent-encoded data id, when nothing is set", () => {
    expect(buildExternalMapsLink(place, { publicBaseUrl: LINKS.publicBaseUrl })).toBe(
      "https://www.google.com/maps?q=10.801671%2C106.61744&ftid=0x1a%3A0x2b",
    );
  });

  test.each([
    ["https://maps.example/?ftid={data_id}", "https://maps.example/?ftid=0x1a%3A0x2b"],
    [
      "https://maps.example/@{latitude},{longitude}/{title}?id={data_id}",
      "https://maps.example/@10.801671,106.61744/B%C3%BAn%20%24%26%20b%C3%B2?id=0x1a%3A0x2b",
    ],
    [
      "https://maps.example/{data_id}/{data_id}/{zoom}",
      "https://maps.example/0x1a%3A0x2b/0x1a%3A0x2b/{zoom}",
    ],
  ])("fills %s", (externalMapsUrl, link) => {
    expect(buildExternalMapsLink(place, { ...LINKS, externalMapsUrl })).toBe(link);
  });

  test("a title that looks like a placeholder stays a title", () => {
    const settings = { ...LINKS, externalMapsUrl: "https://maps.example/{title}/{data_id}" };
    expect(buildExternalMapsLink({ ...place, title: "{data_id}" }, settings)).toBe(
      "https://maps.example/%7Bdata_id%7D/0x1a%3A0x2b",
    );
  });
});

test("each operation has its own page of documentation", () => {
  expect(buildDocsLink("https://places.example", "search")).toBe("https://places.example/docs#search");
  expect(buildDocsLink("https://places.example", "place")).toBe("https://places.example/docs#place");
});

import { describe, expect, test } from "vitest";
import { isInArea, parseAreas, shortAreaName } from "../../../../src/place/geometry/areas.ts";

const HEADER = "id,level,valid,name,parent,lat,lng,south,west,north,east";

describe("an area file", () => {
  test("may have comments, a header and empty lines", () => {
    const csv = `# Sources: none\n${HEADER}\n\nd1,district,old,Quận 1,p1,10.77,106.7,10.75,106.68,10.79,106.71\r\n`;
    expect(parseAreas(csv, "areas.csv")).toEqual([
      {
        id: "d1",
        level: "district",
        valid: "old",
        name: "Quận 1",
        parent: "p1",
        centre: { latitude: 10.77, longitude: 106.7 },
        bounds: { south: 10.75, west: 106.68, north: 10.79, east: 106.71 },
      },
    ]);
  });

  test("reports an error with its line in the whole file", () => {
    expect(() => parseAreas(`# comment\n${HEADER}\nd1,district,old,,p1,1,2,3,4,5,6`, "areas.csv")).toThrow(
      "areas.csv:3: name is empty",
    );
  });
});

describe("a point in the bounds of an area", () => {
  const area = { bounds: { south: 10, west: 106, north: 11, east: 107 } };

  test.each([
    [10.5, 106.5],
    [10, 106],
    [11, 107],
  ])("%d, %d is in it", (latitude, longitude) => {
    expect(isInArea(area, { latitude, longitude })).toBe(true);
  });

  test.each([
    [9.99, 106.5],
    [11.01, 106.5],
    [10.5, 105.99],
    [10.5, 107.01],
  ])("%d, %d is not", (latitude, longitude) => {
    expect(isInArea(area, { latitude, longitude })).toBe(false);
  });
});

test.each([
  ["Phường Bến Nghé", "Bến Nghé"],
  ["Thành phố Hồ Chí Minh", "Hồ Chí Minh"],
  ["Quận 1", "1"],
  ["Chợ Lớn", "Chợ Lớn"],
])("%s is called %s", (name, short) => {
  expect(shortAreaName(name)).toBe(short);
});

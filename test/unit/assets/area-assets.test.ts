import { expect, test } from "vitest";
import { readAreaFiles, type AreaCells, type AreaOutlines } from "../../../src/assets/area-assets.ts";

const files = new Map(readAreaFiles().map(({ path, build }) => [path, build]));
const read = (name: string): unknown => JSON.parse(files.get(`areas/${name}.json`)?.().toString() ?? "");

const { degrees, cells } = read("cells") as AreaCells;

const cellAt = (latitude: number, longitude: number): string =>
  `${Math.floor(latitude / degrees)},${Math.floor(longitude / degrees)}`;

const outlines = (name: string): AreaOutlines => read(name) as AreaOutlines;

test.each<[string, [number, number], string]>([
  ["Bến Thành market", [10.7721, 106.698], "Bến Thành"],
  ["Hoàn Kiếm lake", [21.0287, 105.8524], "Hoàn Kiếm"],
])("the file around %s has its ward", (_what, point, ward) => {
  expect(cells).toContain(cellAt(...point));
  const [, latitude = 0, longitude = 0] =
    outlines(cellAt(...point)).names.find(([name]) => name === ward) ?? [];
  expect(latitude).toBeCloseTo(point[0], 1);
  expect(longitude).toBeCloseTo(point[1], 1);
});

test("there is no file for a cell outside Viet Nam", () => {
  expect(cells).not.toContain(cellAt(13.75, 100.5));
});

test("the files of all cells have every ward once", () => {
  const wards = cells.flatMap((cell) => outlines(cell).names);
  expect(wards).toHaveLength(3319);
});

test("borders run around the names of their areas", () => {
  const { scale, translate, lines, names } = outlines(cellAt(10.7721, 106.698));
  const latitudes = lines.flatMap((line) => {
    let y = 0;
    return line.map(([, step]) => (y += step) * scale[1] + translate[1]);
  });
  const named = names.map(([, latitude]) => latitude);
  expect(Math.min(...latitudes)).toBeLessThan(Math.min(...named));
  expect(Math.max(...latitudes)).toBeGreaterThan(Math.max(...named));
});

test("the map of the country names provinces without their designation, and a numbered ward with it", () => {
  const provinces = outlines("provinces").names.map(([name]) => name);
  expect(provinces).toHaveLength(34);
  expect(provinces).toContain("Hồ Chí Minh");
  const inBaoLoc = outlines(cellAt(11.55, 107.8)).names.map(([name]) => name);
  expect(inBaoLoc).toContain("Phường 1 Bảo Lộc");
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("match");

const PLACES = `data_id,name,type,lat,lng,address,phone
0x1:0xa,Cheo Leo,COFFEE,10.7690,106.6800,"109 Nguyễn Thiện Thuật, Quận 3",028 3832 1111
0x1:0xb,Phở Hòa Pasteur,PHO,10.7868,106.6893,"260C Pasteur, Quận 3",028 3829 7943
0x1:0xc,Bưu điện Sài Gòn,POST_OFFICE,10.7798,106.6999,2 Công xã Paris,
`;

const run = (...args: readonly string[]) => runIndex(args, own.env);

const write = (name: string, content: string | Buffer): string => {
  const path = join(own.folder, name);
  writeFileSync(path, content);
  return path;
};

const read = (path: string): string => readFileSync(path, "utf8").replace(/^\uFEFF/, "");

beforeAll(async () => {
  const imported = await run("import", write("places.csv", PLACES));
  if (imported.exitCode !== 0) throw new Error(imported.stderr);
});

describe("what cannot be matched", () => {
  test.each([
    ["a file that does not exist", "none.csv", undefined, "none.csv"],
    [
      "a file without useful columns",
      "columns.csv",
      "colour,size\nred,1\n",
      "has no column to look for places by",
    ],
    ["a file that is no table", "text.csv", "hello\n", "is not CSV"],
    ["an empty file", "empty.csv", "", "is not CSV"],
  ])("%s is refused, and no file is left", async (_, name, content, message) => {
    const path = content === undefined ? join(own.folder, name) : write(name, content);
    const output = join(own.folder, "refused.csv");
    const { exitCode, stderr } = await run("match", path, "-o", output);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(output)).toBe(false);
  });

  test("an existing file is not overwritten without --force", async () => {
    const rows = write("again.csv", "name,phone\nCheo Leo,\n");
    const output = write("mine.csv", "mine");
    const refused = await run("match", rows, "-o", output);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain("exists already");
    expect(read(output)).toBe("mine");
    expect(await run("match", rows, "-o", output, "--force")).toMatchObject({ exitCode: 0 });
    expect(read(output)).toContain("0x1:0xa");
  });

  test.each(["2", "-1", "high"])("a confidence of %s is wrong usage", async (share) => {
    expect(await run("match", "rows.csv", `--min-confidence=${share}`)).toMatchObject({ exitCode: 2 });
  });
});

test("a row gets the id of its place; the others stay, and the end says how many", async () => {
  const rows = write(
    "rows.csv",
    `mã;tên quán;địa chỉ;điện thoại
1;cheo leo cafe;109 Nguyen Thien Thuat, Q3;
2;"Phở Hòa; bò";;(028) 3829.7943
3;Quán không có ở đây;1 Đường Khác;
4;;;
`,
  );
  const { exitCode, stdout, stderr } = await run("match", rows, "--reasons");
  expect(exitCode).toBe(0);
  const lines = stdout
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\n");
  expect(lines[0]).toBe("mã,tên quán,địa chỉ,điện thoại,data_id,confidence,reasons");
  expect(lines[1]).toMatch(
    /^1,cheo leo cafe,"109 Nguyen Thien Thuat, Q3",,0x1:0xa,(?:0\.9|1\.0)\d\d,name_same address_same$/,
  );
  expect(lines[2]).toMatch(/^2,"Phở Hòa; bò",,\(028\) 3829\.7943,0x1:0xb,0\.[89]\d\d,.*phone_same/);
  expect(lines[3]).toMatch(/^3,Quán không có ở đây,1 Đường Khác,,,0\.[0-4]\d\d,/);
  expect(lines[4]).toBe("4,,,,,,");
  expect(stderr).toMatch(/Matched 2 of 4 rows \(50\.0 %\)/);
  expect(stderr).toContain("1 with nothing to look for");
});

test("columns that the file has already keep their names, and rows that cannot be read are named", async () => {
  const rows = write("twice.csv", "data_id,name,confidence\nx,Cheo Leo,high\na,b\n");
  const output = join(own.folder, "twice-matched.csv");
  const { exitCode, stdout, stderr } = await run(
    "match",
    rows,
    "-o",
    output,
    "--json",
    "--min-confidence",
    ".2",
  );
  expect(exitCode).toBe(0);
  expect(read(output)).toMatch(
    /^data_id,name,confidence,match_data_id,match_confidence\nx,Cheo Leo,high,0x1:0xa,[\d.]+\n$/,
  );
  expect(readFileSync(output).subarray(0, 3)).toEqual(Buffer.from("\uFEFF"));
  expect(stderr).toContain("line 3: not as many fields as columns");
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "matched",
    rows: 1,
    matched: 1,
    unread: 1,
    file: output,
  });
});

test("a thousand rows are matched in their order, from standard input", async () => {
  const rows = Array.from(
    { length: 1_000 },
    (_, number) => `${number},${number % 3 === 0 ? "Bưu điện Sài Gòn" : "Cheo Leo"}`,
  );
  const input = `no,name\n${rows.join("\n")}\n`;
  const { exitCode, stdout } = await runIndex(["match", "-", "--min-confidence", ".2"], own.env, input);
  expect(exitCode).toBe(0);
  const ids = stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").slice(0, 3).join(" "));
  expect(ids).toEqual(
    rows.map((_, number) =>
      number % 3 === 0 ? `${number} Bưu điện Sài Gòn 0x1:0xc` : `${number} Cheo Leo 0x1:0xa`,
    ),
  );
});

test("an Excel workbook is read as an import reads it", async () => {
  const cells = [["DANH SÁCH"], ["Tên quán", "Vĩ độ", "Kinh độ"], ["cheo leo", 10.76905, 106.68002]];
  const data = cells.map((row) => row.map((value) => ({ value })));
  const rows = write("rows.xlsx", await writeWorkbook([{ sheet: "Quận 3", data }]).toBuffer());
  const { stdout } = await run("match", rows);
  expect(stdout).toMatch(/^Tên quán,Vĩ độ,Kinh độ,data_id,confidence\ncheo leo,10.76905,106.68002,0x1:0xa,/);
});

test("--map names a column that is called otherwise", async () => {
  const rows = write("mapped.csv", "label,colour\nCheo Leo,red\n");
  const { stdout } = await run("match", rows, "--map", "title=label", "--min-confidence", ".2");
  expect(stdout).toContain("Cheo Leo,red,0x1:0xa,");
});

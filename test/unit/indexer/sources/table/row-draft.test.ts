import { describe, expect, test } from "vitest";
import { readGeojsonTable } from "../../../../../indexer/sources/table/geojson-table.ts";
import { readTableCsv } from "../../../../../indexer/sources/table/csv-table.ts";
import { readXlsx } from "../../../../../indexer/sources/table/xlsx-table.ts";
import type { Adjustments, SourceItem } from "../../../../../indexer/sources/source.ts";
import writeWorkbook from "write-excel-file/node";
import { noteTaker, textInput } from "../../text-input.ts";

async function readRows(content: string, adjust: Adjustments = {}) {
  const { context, notes } = noteTaker();
  const items = await Array.fromAsync(readTableCsv(textInput(content), { ...context, adjust }));
  return { items, drafts: items.flatMap((item) => ("draft" in item ? [item.draft] : [])), notes };
}

const idsOf = async (content: string, adjust?: Adjustments) =>
  (await readRows(content, adjust)).drafts.map(({ source_id: id }) => id);

describe("ids of rows without one", () => {
  const file = "name,lat,lng,phone,shelf\nLặng,21.0285,105.8542,1,a\nPhin,21.0301,105.8511,2,b\n";

  test("are made of name and position, and stay when other cells, case, marks and the order change", async () => {
    const [calm, drip] = await idsOf(file);
    expect(calm).toMatch(/^made\/[0-9a-f]{16}$/);
    const corrected = "shelf,name,lng,lat,phone\nb,PHIN,105.85110,21.03010,3\na,Lang,105.8542,21.0285,4\n";
    expect(await idsOf(corrected)).toEqual([drip, calm]);
  });

  test("differ for another position and another name", async () => {
    const other = "name,lat,lng\nLặng,21.0295,105.8542\nLặng 2,21.0285,105.8542\n";
    expect(new Set([...(await idsOf(file)), ...(await idsOf(other))]).size).toBe(4);
  });

  test("are those of --id where it is given, several columns together", async () => {
    expect(await idsOf(file, { id: ["Shelf"] })).toEqual(["a", "b"]);
    expect(await idsOf(file, { id: ["shelf", "phone"] })).toEqual(["a / 1", "b / 2"]);
  });

  test("are made of name and address where there is no position", async () => {
    const [id, same] = await idsOf("name,address\nLặng,12 Lê Lợi\nLANG,12 le loi\n");
    expect(id).toMatch(/^made\//);
    expect(same).toBe(id);
  });
});

test.each([
  ['"21.0285, 105.8542"', 21.0285, 105.8542],
  ['"21,0285; 105,8542"', 21.0285, 105.8542],
  ["POINT (105.8542 21.0285)", 21.0285, 105.8542],
  [`21°01'42.6"N 105°51'15.12"E`, 21.0285, 105.8542],
  ["33° 52′ 7.68″ S 151° 12′ 33.48″ E", -33.8688, 151.2093],
  [`21°01'42.6"B 105°51'15.12"Đ`, 21.0285, 105.8542],
  [`10°30'00"N 105°30'00"Đ`, -10.5, 105.5],
  ['"https://www.google.com/maps/place/x/@21.1,105.9,17z/data=!3d21.0285!4d105.8542"', 21.0285, 105.8542],
  [`"10°47.286'N, 106°41.418'E"`, 10.7881, 106.6903],
  ["N 10.7661 E 106.6937", 10.7661, 106.6937],
  ['"https://maps.google.com/?q=21.0285,105.8542"', 21.0285, 105.8542],
  ['"https://www.google.com/maps/dir//21.0285,105.8542"', 21.0285, 105.8542],
  ["https://maps.app.goo.gl/x", Number.NaN, Number.NaN],
])("the coordinates of %s are read", async (cell, latitude, longitude) => {
  const { drafts } = await readRows(`name,tọa độ\nx,${cell}\n`);
  expect(drafts[0]?.location).toMatchObject({ latitude, longitude });
});

test.each([
  [`10°46'24.1"N`, `106° 42' 4.4" E`, 10.7733611, 106.7012222],
  ["10,7733", "106,7012", 10.7733, 106.7012],
  ["10.7661° N", "106.6937° E", 10.7661, 106.6937],
  [`33°52.128'S`, `70°40'W`, -33.8688, -70.6666667],
])("latitude %s and longitude %s are read from two columns", async (lat, lng, latitude, longitude) => {
  const { drafts } = await readRows(`name\tlat\tlng\nx\t${lat}\t${lng}\n`);
  expect(drafts[0]?.location).toMatchObject({ latitude, longitude });
});

test.each([
  ["10.773.374", "its decimal point is lost: format the column as text and write it as 10.773374"],
  ["10773374", "its decimal point is lost: format the column as text and write it as 10.773374"],
  ["unknown", `not degrees such as 10.7769 or 10°46'37"N`],
])("the latitude %s is rejected with what to write", async (latitude, reason) => {
  const { items } = await readRows(`name\tlat\tlng\nx\t${latitude}\t106.7012\n`);
  expect(items[0]).toMatchObject({ rejected: { field: "location.latitude", reason, value: latitude } });
});

test("a link without coordinates is noted with what to copy instead", async () => {
  const { notes } = await readRows("name,tọa độ\nx,https://maps.app.goo.gl/x\n");
  expect(notes).toEqual([
    "coordinates: no coordinates in this link: open it, and copy the address of the page that opens",
  ]);
});

test.each([
  ["Giá", "25.000đ - 60.000đ", { min: 25_000, max: 60_000 }],
  ["Giá", "45000", { min: 45_000, max: 45_000 }],
  ["Mức giá", "30-50k", { min: 30_000, max: 50_000 }],
  ["Giá từ", "30k", { min: 30_000 }],
  ["Giá đến", "1tr5", { max: 1_500_000 }],
])("%s %s is a price", async (header, cell, pricing) => {
  const { drafts, notes } = await readRows(`name;lat;lng;${header}\nx;10.7;106.7;${cell}\n`);
  expect(notes).toEqual([]);
  expect(drafts[0]?.pricing).toMatchObject(pricing);
});

test("columns of features are read where they say yes or no, beside a list", async () => {
  const { drafts, notes } = await readRows(
    "name,lat,lng,Wifi,Có chỗ đậu xe,delivery,Sân thượng,tiện ích\nx,10.7,106.7,TRUE,x,Không,đẹp,pay_qr_code\n",
  );
  expect(drafts[0]?.features).toMatchObject({
    parking: ["parking_availability"],
    payments: ["pay_qr_code"],
    other: ["has_wi_fi"],
    service_options: [],
  });
  expect(notes).toEqual(["Sân thượng: neither yes nor no, ignored"]);
});

test("hours in two columns are read together", async () => {
  const { drafts } = await readRows("name,lat,lng,Giờ mở cửa,Giờ đóng cửa\nx,10.7,106.7,7h30,22:00\n");
  expect(drafts[0]?.opening_hours?.week[6]).toEqual([[450, 1320]]);
});

describe("a header below a title", () => {
  test.each([
    ["DANH SÁCH QUÁN CÀ PHÊ\nCập nhật 20/11/2026\n\nTên;Vĩ độ;Kinh độ\nLặng;10,7769;106,7009\n", 5],
    ["DANH SÁCH, Quận 1, năm 2026,,\n,,,,\nSTT,Tên,Vĩ độ,Kinh độ,\n1,Lặng,10.7769,106.7009,\n", 4],
    ['Danh sách\n"Tên\nquán",Vĩ độ,Kinh độ\nLặng,10.7769,106.7009\n', 4],
  ])("is found, and rows keep their line", async (content, number) => {
    const { items } = await readRows(content);
    expect(items).toMatchObject([
      {
        position: { number },
        draft: { title: "Lặng", location: { latitude: 10.7769, longitude: 106.7009 } },
      },
    ]);
  });

  test("may have two rows, of which the lower says more", async () => {
    const { drafts } = await readRows(
      "STT,Tên quán,Vị trí,,Liên hệ,\n,,Vĩ độ,Kinh độ,Điện thoại,Website\n1,Lặng,10.7769,106.7009,0912345678,lang.example\n",
    );
    expect(drafts).toMatchObject([
      {
        title: "Lặng",
        location: { latitude: 10.7769, longitude: 106.7009 },
        contacts: { phone: "0912345678", website: "lang.example" },
      },
    ]);
  });

  test("of two columns of one name the first is read, and the second reported", async () => {
    const { drafts, notes } = await readRows("Tên,Vĩ độ,Kinh độ,SĐT,SĐT\nLặng,10.7769,106.7009,1,2\n");
    expect(drafts).toMatchObject([{ contacts: { phone: "1" } }]);
    expect(notes).toEqual(["SĐT (2): unknown column, ignored (means phone too)"]);
  });
});

test("house number, street and district become one address", async () => {
  const { drafts } = await readRows(
    "Tên,Số nhà,Đường,Phường,Quận,Tỉnh,Vĩ độ,Kinh độ\nx,12,Lê Lợi,Bến Nghé,1,TP.HCM,10.77,106.70\n",
  );
  expect(drafts[0]?.location.address).toMatchObject({
    street: "12 Lê Lợi",
    full: "12 Lê Lợi, Bến Nghé, Quận 1, TP.HCM",
  });
});

test("a suburb is the part of a city that its address names", async () => {
  const { drafts } = await readRows(
    "name,street,house_number,suburb,city,lat,lng\nPanther,Waldemarstraße,119,Kreuzberg,Berlin,52.50,13.43\n",
  );
  expect(drafts[0]?.location.address).toMatchObject({ ward: "Kreuzberg", city: "Berlin" });
});

test("an unknown kind is noted with its text, and rows without any cell are passed over", async () => {
  const { drafts, notes } = await readRows("name,lat,lng,loại\nx,1,2,RESTARANT\n,,,\n");
  expect(drafts.map(({ type }) => type)).toEqual(["PLACE"]);
  expect(notes).toEqual(['type "RESTARANT": not a kind, read as PLACE']);
});

test("a workbook is read from the row with the names of columns, on every sheet that has one", async () => {
  const cell = (value: string | number | Date | null) => {
    if (value === null) return null;
    return value instanceof Date ? { value, format: "yyyy-mm-dd" } : { value };
  };
  const header = ["Tên quán", "Vĩ độ", "Kinh độ", "SĐT", "Ngày cập nhật"].map(cell);
  const bytes = await writeWorkbook([
    {
      sheet: "Quận 1",
      data: [
        [cell("DANH SÁCH QUÁN CÀ PHÊ")],
        [],
        header,
        ["Lặng", 10.7769, 106.7009, 912345678, new Date("2026-11-02")].map(cell),
        [null, null, null, null, null].map(cell),
      ],
    },
    { sheet: "Ghi chú", data: [[cell("Người lập: Lan")]] },
    { sheet: "Quận 3", data: [header, ["Phin", 10.78, "không rõ", "028 3825 1000", null].map(cell)] },
  ]).toBuffer();
  const { context } = noteTaker();
  const items: SourceItem[] = await Array.fromAsync(readXlsx(textInput(bytes, 4096), context));
  expect(items).toMatchObject([
    {
      position: { file: "test-file (Quận 1)", part: "row", number: 4 },
      draft: {
        title: "Lặng",
        location: { latitude: 10.7769 },
        contacts: { phone: "912345678" },
        confirmed_on: "2026-11-02",
      },
    },
    {
      position: { file: "test-file (Quận 3)", part: "row", number: 2 },
      rejected: { field: "location.longitude" },
    },
  ]);
});

test("times of a workbook are read as it shows them", async () => {
  const time = (text: string) => ({ value: new Date(`1899-12-30T${text}:00Z`), format: "hh:mm" });
  const header = ["Tên", "Vĩ độ", "Kinh độ", "Giờ mở cửa", "Giờ đóng cửa"].map((value) => ({ value }));
  const row = [{ value: "Lặng" }, { value: 10.7769 }, { value: 106.7009 }, time("07:30"), time("22:00")];
  const bytes = await writeWorkbook([{ sheet: "Quận 1", data: [header, row] }]).toBuffer();
  const { context } = noteTaker();
  const items: SourceItem[] = await Array.fromAsync(readXlsx(textInput(bytes, 4096), context));
  expect(items).toMatchObject([{ draft: { opening_hours: { week: Array(7).fill([[450, 1320]]) } } }]);
});

test("GeoJSON properties are columns, and a feature without a point has no coordinates", async () => {
  const feature = (geometry: object | null) => ({
    type: "Feature",
    geometry,
    properties: { Tên: "Lặng", SĐT: 912 },
  });
  const features = [feature({ type: "Point", coordinates: [106.7, 10.77] }), feature(null)];
  const { context } = noteTaker();
  const content = JSON.stringify({ type: "FeatureCollection", features });
  const items = await Array.fromAsync(readGeojsonTable(textInput(content), context));
  expect(items).toMatchObject([
    { draft: { title: "Lặng", contacts: { phone: "912" }, location: { latitude: 10.77, longitude: 106.7 } } },
    { draft: { location: { latitude: Number.NaN } } },
  ]);
});

import { describe, expect, test } from "vitest";
import { cleanDraft, fillDataId } from "../../../../indexer/clean/clean-records.ts";
import type { CleanStep, PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { checkCoordinates, fillCountry, fillTimeZone } from "../../../../indexer/clean/location.ts";
import { cleanNames } from "../../../../indexer/clean/strings.ts";
import { cleanWebsite } from "../../../../indexer/clean/phone.ts";
import { completeAddress } from "../../../../indexer/clean/address.ts";
import { dateHolidays } from "../../../../indexer/clean/holidays.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";

function run(step: CleanStep, draft: PlaceDraft, today?: string) {
  const { context, notes } = noteTaker();
  const day = today === undefined ? context.today : Temporal.PlainDate.from(today);
  return { result: step(draft, { ...context, today: day }), notes };
}

const cleaned = (step: CleanStep, draft: PlaceDraft) => run(step, draft).result as PlaceDraft;

describe("coordinates", () => {
  test.each([
    [
      105.85,
      21.03,
      "outside latitude ±90 or longitude ±180; latitude and longitude look swapped, --swap reads them the other way",
    ],
    [91, 200, "outside latitude ±90 or longitude ±180"],
    [Number.NaN, Number.NaN, "no coordinates"],
    [0, -180.5, "outside latitude ±90 or longitude ±180"],
    [Number.POSITIVE_INFINITY, 0, "outside latitude ±90 or longitude ±180"],
    [Number.NaN, 106, "not a number"],
    [10, Number.NaN, "not a number"],
    [0, 0, "0, 0 means no coordinates"],
    [-0, 0, "0, 0 means no coordinates"],
  ])("%d, %d are refused: %s", (latitude, longitude, reason) => {
    expect(run(checkCoordinates, buildDraft({ location: { latitude, longitude } })).result).toMatchObject({
      field: "location",
      reason,
    });
  });

  test.each([
    [0, 106],
    [10, 0],
    [90, 180],
    [-90, -180],
  ])("%d, %d pass", (latitude, longitude) => {
    const draft = buildDraft({ location: { latitude, longitude } });
    expect(cleaned(checkCoordinates, draft)).toBe(draft);
  });
});

describe("names", () => {
  test.each([
    ["", "empty"],
    ["x".repeat(501), "longer than 500 characters"],
  ])("the title %.5j… is refused: %s", (title, reason) => {
    expect(run(cleanNames, buildDraft({ title })).result).toMatchObject({ field: "title", reason });
  });

  test("as long as a title may be is kept", () => {
    const name = "x".repeat(500);
    expect(cleaned(cleanNames, buildDraft({ title: name })).title).toBe(name);
    expect(cleaned(cleanNames, buildDraft({ alternate_names: [name] })).alternate_names).toEqual([name]);
  });

  test("alternate names are unique and never repeat the title", () => {
    const alternate_names = ["Pho Hoa", "", "Phở Hòa", "Pho Hoa", "x".repeat(501)];
    expect(cleaned(cleanNames, buildDraft({ alternate_names })).alternate_names).toEqual(["Pho Hoa"]);
  });
});

describe("the website", () => {
  test.each([
    ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["http://example.com", "http://example.com"],
    ["HTTP://Example.com", "HTTP://Example.com"],
    ["example.com", "https://example.com"],
    ["www.cà-phê.vn", ""],
    ["phohoa.com.vn/menu", "https://phohoa.com.vn/menu"],
    ["example.com:8080", "https://example.com:8080"],
    ["https://example.com/a b", "https://example.com/a%20b"],
    ["", ""],
  ])("%j becomes %j", (website, expected) => {
    expect(cleaned(cleanWebsite, buildDraft({ contacts: { phone: "", website } })).contacts.website).toBe(
      expected,
    );
  });

  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "ftp://example.com",
    "none",
    "a@b.c d",
    "//",
    "https://",
  ])("%s is no web address and dropped with a note", (website) => {
    const { result, notes } = run(cleanWebsite, buildDraft({ contacts: { phone: "1", website } }));
    expect(result).toMatchObject({ contacts: { phone: "1", website: "" } });
    expect(notes).toEqual(["contacts.website: not a web address, dropped"]);
  });
});

describe("the country", () => {
  test.each([
    [10.77, 106.7, "VN", "Việt Nam"],
    [35.68, 139.7, "JP", "Nhật Bản"],
    [22.3, 114.17, "HK", "Đặc khu Hành chính Hồng Kông, Trung Quốc"],
    [0, -140, "", ""],
  ])("of %d, %d is %j", (latitude, longitude, country_code, country) => {
    const { location } = cleaned(fillCountry, buildDraft({ location: { latitude, longitude } }));
    expect(location).toMatchObject({ country_code, address: { country } });
  });

  test("the record's code and name take precedence over the coordinates", () => {
    const location = { country_code: "la", address: { country: "Lào" } };
    const { result, notes } = run(fillCountry, buildDraft({ location }));
    expect(result).toMatchObject({ location: { country_code: "LA", address: { country: "Lào" } } });
    expect(notes).toEqual([]);
  });

  test("an invalid code is noted, and the coordinates decide", () => {
    const { result, notes } = run(fillCountry, buildDraft({ location: { country_code: "VNM" } }));
    expect(result).toMatchObject({ location: { country_code: "VN" } });
    expect(notes).toHaveLength(1);
  });
});

describe("the time zone", () => {
  test.each([
    [
      "Ha Noi, which border tables put under Bangkok",
      { latitude: 21.03, longitude: 105.85, country_code: "VN", timezone: "" },
      "Asia/Ho_Chi_Minh",
    ],
    [
      "a record of Viet Nam that says Bangkok",
      { latitude: 21.03, longitude: 105.85, country_code: "VN", timezone: "Asia/Bangkok" },
      "Asia/Ho_Chi_Minh",
    ],
    ["Tokyo", { latitude: 35.68, longitude: 139.7, country_code: "JP", timezone: "" }, "Asia/Tokyo"],
    [
      "a record that knows its own",
      { latitude: 35.68, longitude: 139.7, country_code: "JP", timezone: "Asia/Seoul" },
      "Asia/Seoul",
    ],
    [
      "Vaduz, a few kilometres wide",
      { latitude: 47.14, longitude: 9.52, country_code: "LI", timezone: "" },
      "Europe/Vaduz",
    ],
    ["the high seas", { latitude: 0, longitude: -140, country_code: "", timezone: "" }, "Etc/GMT+9"],
  ])("of %s", (_, location, expected) => {
    const draft = buildDraft({ location });
    expect(cleaned(fillTimeZone, draft).location.timezone).toBe(expected);
  });

  test.each(["Mars/Base", "+07:00", "constructor"])("%s is none: noted and found out", (timezone) => {
    const location = { latitude: 35.68, longitude: 139.7, country_code: "JP", timezone };
    const { result, notes } = run(fillTimeZone, buildDraft({ location }));
    expect(result).toMatchObject({ location: { timezone: "Asia/Tokyo" } });
    expect(notes).toHaveLength(1);
  });
});

describe("the one-line address", () => {
  test.each([
    [
      { street: "12 Lê Lợi", ward: "Phường Bến Nghé", city: "Thành phố Hồ Chí Minh", country: "Việt Nam" },
      "12 Lê Lợi, Phường Bến Nghé, Thành phố Hồ Chí Minh",
    ],
    [{ city: "Hà Nội" }, "Hà Nội"],
    [{ country: "Việt Nam" }, ""],
    [{ full: "Somewhere", street: "12 Lê Lợi" }, "12 Lê Lợi, Somewhere"],
    [{ full: "Somewhere" }, "Somewhere"],
  ])("of %j is %j", (address, full) => {
    expect(cleaned(completeAddress, buildDraft({ location: { address } })).location.address.full).toBe(full);
  });
});

describe("the data id", () => {
  test("one in the record is kept in its canonical form", () => {
    expect(cleaned(fillDataId, buildDraft({ data_id: "0X0031ABC:0x000F" })).data_id).toBe("0x31abc:0xf");
  });

  test.each(["31abc:f", "0x1:0x2:0x3", "0x1", "../stats", "0x1:0x10000000000000000"])(
    "%s is refused",
    (data_id) => {
      expect(run(fillDataId, buildDraft({ data_id })).result).toMatchObject({
        field: "data_id",
        value: data_id,
      });
    },
  );

  test("a place without one gets the S2 cell of its point and a hash of its source id", () => {
    // The leaf cell as s2geometry computes it; the hash by `printf 'osm\0node/1' | sha256sum`.
    const draft = buildDraft({ location: { latitude: 10.7712, longitude: 106.7048 } });
    expect(cleaned(fillDataId, draft).data_id).toBe("0x31752f414277c1e7:0x23e6d78b2a919619");
  });

  test("the hash half stays when the place moves, and differs between sources and ids", () => {
    const half = (facts: Parameters<typeof buildDraft>[0]) =>
      cleaned(fillDataId, buildDraft(facts)).data_id.split(":")[1];
    const identity = half({});
    expect(half({ location: { latitude: 21, longitude: 105 } })).toBe(identity);
    expect(half({ source: "osm2" })).not.toBe(identity);
    expect(half({ source: "os", source_id: "mnode/1" })).not.toBe(identity);
    expect(half({ source_id: "node/2" })).not.toBe(identity);
  });

  test("a record without any id is rejected", () => {
    expect(run(fillDataId, buildDraft({ source_id: "" })).result).toMatchObject({ field: "source_id" });
  });
});

describe("public holidays", () => {
  const week = Array.from({ length: 7 }, (): [number, number][] => [[480, 1020]]);
  const closed = Array.from({ length: 7 }, (): [number, number][] => []);
  const dates = (draft: PlaceDraft) => draft.opening_hours?.special_days.map(({ date }) => date) ?? [];
  const withHolidays = (
    country_code: string,
    special_days: { date: string; ranges: [number, number][] }[] = [],
  ) => buildDraft({ location: { country_code }, opening_hours: { week, special_days, holidays: closed } });

  test("become the dates of this year and the two after, the lunar new year among them", () => {
    const found = dates(cleaned(dateHolidays, withHolidays("VN")));
    expect(found).toEqual(found.toSorted());
    expect(found).toEqual(
      expect.arrayContaining(["2027-01-01", "2027-02-06", "2027-04-30", "2027-09-02", "2028-09-02"]),
    );
    expect(found.filter((date) => date < "2026-11-20" || date > "2028-12-31")).toEqual([]);
  });

  test("last all their days: the lunar new year of 2027 from the 5th to the 9th of February", () => {
    const found = dates(cleaned(dateHolidays, withHolidays("VN")));
    expect(found.filter((date) => date.startsWith("2027"))).toEqual([
      "2027-01-01",
      "2027-02-05",
      "2027-02-06",
      "2027-02-07",
      "2027-02-08",
      "2027-02-09",
      "2027-04-16",
      "2027-04-30",
      "2027-05-01",
      "2027-09-02",
    ]);
  });

  test("that last half a day, or the 23 hours of a night on which the clock is changed, are one day", () => {
    const found = (country: string) => dates(cleaned(dateHolidays, withHolidays(country)));
    expect(found("CN").filter((date) => date.startsWith("2027-05-04"))).toEqual(["2027-05-04"]);
    expect(found("FI").filter((date) => date >= "2027-03-28" && date <= "2027-03-29")).toEqual([
      "2027-03-28",
      "2027-03-29",
    ]);
  });

  test("begin with today, without yesterday", () => {
    const from = (today: string) =>
      (run(dateHolidays, withHolidays("VN"), today).result as PlaceDraft).opening_hours?.special_days[0]
        ?.date;
    expect(from("2027-04-30")).toBe("2027-04-30");
    expect(from("2027-05-02")).toBe("2027-09-02");
  });

  test("are in order with the dates of the record", () => {
    const own = ["2027-12-24", "2026-12-24"].map((date) => ({ date, ranges: [] }));
    const found = dates(cleaned(dateHolidays, withHolidays("VN", own)));
    expect(found[0]).toBe("2026-12-24");
    expect(found).toContain("2027-12-24");
    expect(found).toEqual(found.toSorted());
  });

  test("other countries have other dates", () => {
    expect(dates(cleaned(dateHolidays, withHolidays("DE")))).toContain("2027-10-03");
  });

  test("a date in the record keeps its hours", () => {
    const own = { date: "2027-09-02", ranges: [[600, 720]] as [number, number][] };
    const draft = cleaned(dateHolidays, withHolidays("VN", [own]));
    expect(draft.opening_hours?.special_days.filter(({ date }) => date === own.date)).toEqual([own]);
  });

  test("hours may differ by the weekday of the holiday", () => {
    const holidays = closed.with(6, [[600, 720]]);
    const draft = buildDraft({
      location: { country_code: "VN" },
      opening_hours: { week, special_days: [], holidays },
    });
    const days = cleaned(dateHolidays, draft).opening_hours?.special_days ?? [];
    const sunday = days.find(({ date }) => Temporal.PlainDate.from(date).dayOfWeek === 7);
    const monday = days.find(({ date }) => Temporal.PlainDate.from(date).dayOfWeek === 1);
    expect(sunday?.ranges).toEqual([[600, 720]]);
    expect(monday?.ranges).toEqual([]);
  });

  test.each(["", "XX"])("of the unknown country %j are noted", (country) => {
    const { result, notes } = run(dateHolidays, withHolidays(country));
    expect(result).toMatchObject({ opening_hours: { week, special_days: [] } });
    expect(notes).toEqual(["opening_hours: public holidays of the country unknown"]);
  });

  test("a draft without them stays unchanged", () => {
    const draft = buildDraft({ opening_hours: null });
    expect(cleaned(dateHolidays, draft)).toBe(draft);
  });
});

test("the steps complete a draft, or stop at the first rejection", () => {
  const { context } = noteTaker();
  expect(cleanDraft(buildDraft({ title: "  Phở\u200B   Hòa\n" }), context)).toMatchObject({
    title: "Phở Hòa",
    data_id: expect.stringMatching(/^0x[0-9a-f]+:0x[0-9a-f]+$/) as string,
    location: { country_code: "VN", timezone: "Asia/Ho_Chi_Minh" },
  });
  expect(cleanDraft(buildDraft({ title: " \u200B\t" }), context)).toEqual({
    field: "title",
    reason: "empty",
  });
});

test("a place may lack a name only if its type is useful without one", () => {
  const { context } = noteTaker();
  expect(cleanDraft(buildDraft({ title: "", type: "COFFEE" }), context)).toEqual({
    field: "title",
    reason: "empty",
  });
  expect(cleanDraft(buildDraft({ title: "", type: "TOILET" }), context)).toMatchObject({
    title: "",
    type: "TOILET",
  });
});

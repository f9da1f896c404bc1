import { describe, expect, test } from "vitest";
import { locatePlusCode, readPlusCode, readPoint } from "../../../../src/place/geometry/read-point.ts";

const toText = (point: { latitude: number; longitude: number } | undefined): string =>
  point ? `${point.latitude.toFixed(3)} ${point.longitude.toFixed(3)}` : "none";

describe("a point", () => {
  test.each([
    ["10.77,106.70", "10.770 106.700"],
    ["10.77, 106.70", "10.770 106.700"],
    ["(10.77 106.70)", "10.770 106.700"],
    ["10,77 106,70", "10.770 106.700"],
    ["10,77; 106,70", "10.770 106.700"],
    ["-33.86,151.21", "-33.860 151.210"],
    ["10.77N 106.70E", "10.770 106.700"],
    ["33.86S, 70.2W", "-33.860 -70.200"],
    ["10.77 \u00A0,\t 106.70", "10.770 106.700"],
    [`10 ° 46 ' 30 " N  ,  106 ° 42 ' 0 " E`, "10.775 106.700"],
    ["10 46 30 N ; 106 42 0 E", "10.775 106.700"],
    [`10.${"7".repeat(15)}, 106.${"7".repeat(15)}`, "10.778 106.778"],
    [`10°46'30"N 106°42'0"E`, "10.775 106.700"],
    ["10°46.5'N, 106°42'E", "10.775 106.700"],
    [`N10°46'30" E106°42'00"`, "10.775 106.700"],
    ["https://www.google.com/maps/@10.77,106.7,17z", "10.770 106.700"],
    ["https://www.google.com/maps/place/X/@10.1,106.1,17z/data=!3d10.77!4d106.7", "10.770 106.700"],
    ["https://maps.google.com/?q=10.77,106.7", "10.770 106.700"],
    ["https://maps.google.com/?ll=10.77,106.7&z=17", "10.770 106.700"],
    ["https://www.google.com/maps/search/?api=1&query=10.77%2C106.7", "10.770 106.700"],
  ])("%s is %s", (text, expected) => {
    expect(toText(readPoint(text))).toBe(expected);
  });

  test("in minutes and seconds is exact to a decimetre", () => {
    const { latitude = 0, longitude = 0 } = readPoint(`10°46'59"N 106°42'7.2"E`) ?? {};
    expect(latitude).toBeCloseTo(10 + 46 / 60 + 59 / 3_600, 6);
    expect(longitude).toBeCloseTo(106.702, 6);
    expect(readPoint(`10°46'59"S 106°42'7.2"W`)).toEqual({ latitude: -latitude, longitude: -longitude });
  });

  test("in minutes needs both letters of the compass", () => {
    expect(readPoint(`10°46'59" 106°42'7"E`)).toBeUndefined();
    expect(readPoint(`10°46'59"N 106°42'7"`)).toBeUndefined();
  });

  test.each(["12 34", "quận 10", "24/7", "12-14 Nguyễn Huệ", "91.5,106.7", "10.77", "https://example.com/"])(
    "%s is none",
    (text) => {
      expect(readPoint(text)).toBeUndefined();
    },
  );
});

describe("a plus code", () => {
  const NEAR = { latitude: 10.776, longitude: 106.7 };

  test("in full is the same everywhere", () => {
    expect(readPlusCode("7P28QPG2+2C")).toEqual({ code: "7P28QPG2+2C", rest: "" });
    expect(toText(locatePlusCode("7P28QPG2+2C", undefined))).toBe("10.775 106.701");
  });

  test("in short is the one that is near", () => {
    expect(readPlusCode("qpg2+2c Quận 1")).toEqual({ code: "QPG2+2C", rest: "Quận 1" });
    expect(readPlusCode("qpg2+2c, ")).toEqual({ code: "QPG2+2C", rest: "" });
    expect(toText(locatePlusCode("QPG2+2C", NEAR))).toBe("10.775 106.701");
    expect(locatePlusCode("QPG2+2C", undefined)).toBeUndefined();
  });

  test.each(["c++", "a+b", "1+1"])("%s is none", (text) => {
    expect(readPlusCode(text)).toBeUndefined();
  });
});

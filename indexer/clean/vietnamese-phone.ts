/** Beginnings of mobile numbers of eleven digits and what they became in autumn 2018, without the leading 0. */
const MOBILE_PREFIXES: Readonly<Record<string, string>> = {
  120: "70",
  121: "79",
  122: "77",
  126: "76",
  128: "78",
  123: "83",
  124: "84",
  125: "85",
  127: "81",
  129: "82",
  162: "32",
  163: "33",
  164: "34",
  165: "35",
  166: "36",
  167: "37",
  168: "38",
  169: "39",
  186: "56",
  188: "58",
  199: "59",
};

/** Ha Noi was 4 and Ho Chi Minh City 8 until summer 2017. */
const OLD_AREA_CODE = /^[48]\d{8}$/;

const OLD_MOBILE = /^(1\d{2})(\d{7})$/;

/**
 * The number of today for one of Viet Nam's old plan, both without the leading 0; `undefined` when it is none. Ask for
 * numbers only that are not valid today: an old fixed number looks like a new mobile one.
 */
export function currentVietnameseNumber(nationalNumber: string): string | undefined {
  if (OLD_AREA_CODE.test(nationalNumber)) return `2${nationalNumber}`;
  const [, prefix = "", rest = ""] = OLD_MOBILE.exec(nationalNumber) ?? [];
  const current = MOBILE_PREFIXES[prefix];
  return current === undefined ? undefined : current + rest;
}

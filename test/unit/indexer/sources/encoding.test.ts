import { expect, test } from "vitest";
import { decodeChunks, detectDecoding, encodingName, toUtf8 } from "../../../../indexer/sources/encoding.ts";
import tcvn3 from "../../../../indexer/sources/tcvn3.json" with { type: "json" };

const TEXT = "tên,địa chỉ\nQuán cà phê Lặng,12 phố Hàng Bông\nnhà thuốc số bảy,đường Nguyễn Huệ\n";

const toTcvn3 = (text: string) =>
  text.replaceAll(/[^\p{ASCII}]/gu, (letter) => tcvn3.from[tcvn3.to.indexOf(letter)] ?? letter);

/** Windows-1258 has letters with hats, and the tones as marks of their own. */
const TONES: Readonly<Record<string, number>> = {
  "\u0300": 0xcc,
  "\u0309": 0xd2,
  "\u0303": 0xde,
  "\u0301": 0xec,
  "\u0323": 0xf2,
};
const LETTERS: Readonly<Record<string, number>> = {
  đ: 0xf0,
  ê: 0xea,
  â: 0xe2,
  ă: 0xe3,
  ô: 0xf4,
  ơ: 0xf5,
  ư: 0xfd,
};
function toWindows1258(text: string): Buffer {
  const bytes = Array.from(text.normalize("NFC")).flatMap((letter) => {
    const tone = Object.keys(TONES).find((mark) => letter.normalize("NFD").includes(mark));
    const base = tone === undefined ? letter : letter.normalize("NFD").replace(tone, "").normalize("NFC");
    return [LETTERS[base] ?? base.charCodeAt(0), ...(tone === undefined ? [] : [TONES[tone]!])];
  });
  return Buffer.from(bytes);
}

const UTF_16 = Buffer.from(`\uFEFF${TEXT}`, "utf16le");

test.each([
  ["UTF-8", Buffer.from(TEXT), "utf-8"],
  ["broken UTF-8", Buffer.concat([Buffer.from(TEXT), Buffer.from([0xff, 0x0a])]), "utf-8"],
  ["French", Buffer.from("nom\ncafé de la gare\nhôtel à côté, déjà fermé\n"), "utf-8"],
  ["UTF-16", UTF_16, "utf-16"],
  ["big-endian UTF-16", Buffer.from(UTF_16).swap16(), "utf-16be"],
  ["Windows-1258", toWindows1258(TEXT), "windows-1258"],
  ["TCVN3", Buffer.from(toTcvn3(TEXT), "latin1"), "tcvn3"],
  ["TCVN3 that was saved as UTF-8", Buffer.from(toTcvn3(TEXT)), "tcvn3 in utf-8"],
] as const)("%s is known by its words", (_, bytes, decoding) => expect(detectDecoding(bytes)).toBe(decoding));

test.each([
  ["Windows-1258", toWindows1258(TEXT), "windows-1258"],
  ["TCVN3", Buffer.from(toTcvn3(TEXT), "latin1"), "tcvn3"],
  ["UTF-16", UTF_16, "utf-16"],
] as const)("%s is decoded wherever its bytes are cut", async (name, bytes, decoding) => {
  async function* cut() {
    for (let start = 0; start < bytes.length; start += 3) yield bytes.subarray(start, start + 3);
  }
  const decoded = Buffer.concat(await Array.fromAsync(decodeChunks(cut(), decoding))).toString();
  expect(decoded.normalize("NFC").replace("\uFEFF", "")).toBe(TEXT);
  expect(toUtf8(bytes, decoding).toString()).toContain("Quán cà phê Lặng");
  expect(encodingName(decoding)).toBe(name);
});

test("--encoding decides, and TCVN3 in UTF-8 is seen by its bytes", () => {
  expect(detectDecoding(Buffer.from("plain"), "windows-1258")).toBe("windows-1258");
  expect(detectDecoding(Buffer.from("Hµ Néi"), "tcvn3")).toBe("tcvn3 in utf-8");
  expect(detectDecoding(Buffer.from("Hµ Néi", "latin1"), "tcvn3")).toBe("tcvn3");
});

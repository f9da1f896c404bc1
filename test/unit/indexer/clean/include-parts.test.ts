import * as fc from "fast-check";
import { expect, test } from "vitest";
import { includeParts } from "../../../../indexer/clean/address.ts";
import { fold, words } from "../../../../src/place/text/fold.ts";

const PARTS = { street: "12 Lê Lợi", ward: "Phường Bến Nghé", district: "Quận 1", city: "Hồ Chí Minh" };

test.each([
  ["", {}, ""],
  ["Đâu đó", {}, "Đâu đó"],
  ["", PARTS, "12 Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh"],
  ["", { city: "Hà Nội", ward: "Hà Nội" }, "Hà Nội"],
  ["12 Lê Lợi, Hồ Chí Minh", PARTS, "12 Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh"],
  ["12 Lê Lợi, Bến Nghé, Q.1, Thành phố Hồ Chí Minh", PARTS, undefined],
  ["12 lê lợi, bến nghé, Q01, hồ chí minh", PARTS, undefined],
  ["12 Le Loi, Ben Nghe, District 1, Ho Chi Minh City", PARTS, undefined],
  ["12 Lê Lợi, Bến Nghé, Quận 12, Hồ Chí Minh", PARTS, "12 Lê Lợi, Bến Nghé, Quận 12, Quận 1, Hồ Chí Minh"],
  ["12 Lê Lợi, Q.1, TP.HCM", PARTS, "12 Lê Lợi, Q.1, Phường Bến Nghé, TP.HCM, Hồ Chí Minh"],
  ["12 Lê Lợi, Việt Nam", { city: "Huế" }, "12 Lê Lợi, Huế, Việt Nam"],
  ["Tòa A", { street: "12 Lê Lợi" }, "12 Lê Lợi, Tòa A"],
  ["5 Phố Huế, Hà Nội", { ward: "Phường 5" }, "5 Phố Huế, Phường 5, Hà Nội"],
  // The name of a ward is there without its kind; a name that is all kind words needs them.
  ["12 Chùa Láng, Láng, Hà Nội", { ward: "Phường Láng" }, undefined],
  ["12 Lê Lợi, Huế", { ward: "Thị xã" }, "12 Lê Lợi, Thị xã, Huế"],
  ["12 Lê Lợi, thị xã, Huế", { ward: "Thị xã" }, undefined],
  // A part is no end and no beginning of a word.
  ["5 Kimlan, Huế", { ward: "lan" }, "5 Kimlan, lan, Huế"],
  ["5 lankim, Huế", { ward: "lan" }, "5 lankim, lan, Huế"],
  ["lan", { ward: "lan" }, undefined],
  ["東京都千代田区丸の内1-1", { city: "千代田区" }, undefined],
])("%j with %j", (full, parts, expected) => {
  expect(includeParts(full, parts)).toBe(expected ?? full);
});

const WORDS = "Phường P.5 5 Quận Q.1 1 12 Lê Lợi Bến Hà Nội Thành phố Huế TP. Việt Nam 丸の内".split(" ");

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((chosen) => chosen.join(" "));

test("it contains the words of all parts, and repeating it changes nothing", () => {
  const parts = fc.record({ street: text, ward: text, district: text, city: text });
  fc.assert(
    fc.property(text, parts, (full, given) => {
      const once = includeParts(full, given);
      expect(includeParts(once, given)).toBe(once);
      expect(words(fold(once)).join("")).toContain(words(fold(full.trim())).join(""));
    }),
    { examples: [["Bến", { street: "", ward: "Bến 丸の内", district: "Phường", city: "丸の内" }]] },
  );
});

import { describe, expect, test } from "vitest";
import { parseVietnameseAddress } from "../../../../indexer/clean/address.ts";

const NOTHING = { street: "", ward: "", district: "", city: "" };

describe("parseVietnameseAddress", () => {
  test.each(["", "Hà Nội", "Somewhere", ",,,", "Việt Nam", "700000"])("%j tells nothing for sure", (full) => {
    expect(parseVietnameseAddress(full)).toEqual(NOTHING);
  });

  test.each([
    [
      "12 Lê Lợi, Phường Bến Nghé, Quận 1, Hồ Chí Minh 700000, Việt Nam",
      { street: "12 Lê Lợi", ward: "Phường Bến Nghé", district: "Quận 1", city: "Hồ Chí Minh" },
    ],
    [
      "12 Lê Lợi, Bến Nghé, Quận 1, Hồ Chí Minh, Vietnam",
      { street: "12 Lê Lợi", ward: "Bến Nghé", district: "Quận 1", city: "Hồ Chí Minh" },
    ],
    ["12, Lê Lợi, P5, Q10, TP HCM", { street: "12 Lê Lợi", ward: "P5", district: "Q10", city: "TP HCM" }],
    [
      "Tòa nhà Bông Sen, 72 Lê Thánh Tôn, P. Bến Nghé, Q.1, TP. Hồ Chí Minh",
      { street: "72 Lê Thánh Tôn", ward: "P. Bến Nghé", district: "Q.1", city: "TP. Hồ Chí Minh" },
    ],
    [
      "QPG2+Q9 Phường Bến Nghé, Quận 1, Hồ Chí Minh",
      { ward: "Phường Bến Nghé", district: "Quận 1", city: "Hồ Chí Minh" },
    ],
    ["QPG2+Q9 12 Lê Lợi, Huế", { street: "12 Lê Lợi", city: "Huế" }],
    ["QPG2+Q9 Bến Nghé, Quận 1, Hồ Chí Minh", { district: "Quận 1", city: "Hồ Chí Minh" }],
    [
      "5 Trần Phú, Phường 1, Thành phố Đà Lạt, Tỉnh Lâm Đồng",
      { street: "5 Trần Phú", ward: "Phường 1", district: "Thành phố Đà Lạt", city: "Tỉnh Lâm Đồng" },
    ],
    [
      "Xã Tân Phú, Huyện Châu Thành, Tỉnh Long An",
      { ward: "Xã Tân Phú", district: "Huyện Châu Thành", city: "Tỉnh Long An" },
    ],
    ["8 Phố Huế, Hà Nội", { street: "8 Phố Huế", city: "Hà Nội" }],
    ["11 Vương Thừa Vũ, Thanh Xuan", { street: "11 Vương Thừa Vũ" }],
    ["11 Vương Thừa Vũ, tp.Ha noi", { street: "11 Vương Thừa Vũ", city: "tp.Ha noi" }],
    ["12 Lê Lợi, Đống Đa, Hà Nội", { street: "12 Lê Lợi", city: "Hà Nội" }],
    ["12 Lê Lợi".normalize("NFD"), { street: "12 Lê Lợi" }],
  ])("%s", (full, parts) => {
    expect(parseVietnameseAddress(full)).toEqual({ ...NOTHING, ...parts });
  });
});

import { expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { startAppOver } from "../../support/test-app.ts";

interface Located {
  readonly location: { readonly address: { readonly full: string; readonly district?: string } };
}

test("include=areas makes the one-line address of its parts where the source has none", async () => {
  const address = { full: "", street: "12 Lê Lợi", ward: "Phường Bến Thành", city: "", country: "" };
  await using app = await startAppOver([
    buildPlace({ data_id: "0x1:0x7", location: { address } }),
    buildPlace({ data_id: "0x1:0x8", location: { address: { ...address, full: "12 Le Loi, Q1" } } }),
    buildPlace({ data_id: "0x1:0x9", location: { address: { ...address, full: "12 Lê Lợi" } } }),
  ]);
  const fullOf = async (query: string): Promise<string> => {
    const { place_result } = await app.read<{ place_result: Located }>(`/api/maps/place?data_id=${query}`);
    return place_result.location.address.full;
  };
  expect(await fullOf("0x1:0x7")).toBe("");
  expect(await fullOf("0x1:0x7&include=areas")).toBe("12 Lê Lợi, Phường Bến Thành");
  expect(await fullOf("0x1:0x8&include=areas")).toBe("12 Le Loi, Q1");
  expect(await fullOf("0x1:0x9&include=areas")).toBe("12 Lê Lợi, Phường Bến Thành");
});

test("include=areas adds the former district to the address, in lists and details", async () => {
  const location = { latitude: 10.78, longitude: 106.68 };
  await using app = await startAppOver([
    buildPlace({ data_id: "0x1:0x7", title: "Quán Một", areas: ["w26740", "d73", "p79"], location }),
    buildPlace({ data_id: "0x1:0x8", title: "Quán Hai", location }),
  ]);
  const districtsOf = async (query: string): Promise<(string | undefined)[]> => {
    const { local_result } = await app.read<{ local_result: Located[] }>(`/api/maps/${query}`);
    return local_result.map((place) => place.location.address.district);
  };
  const nearby = "nearby?lat=10.78&lng=106.68&sort=distance";
  expect(new Set(await districtsOf(`${nearby}&include=areas`))).toEqual(new Set(["Quận 3", ""]));
  expect(await districtsOf(nearby)).toEqual([undefined, undefined]);
  expect(await districtsOf(`${nearby}&include=areas&fields=title&limit=2`)).toHaveLength(2);
  expect(await districtsOf("search?lat=10.78&lng=106.68&q=quan+mot&include=areas&limit=1")).toEqual([
    "Quận 3",
  ]);
  const detail = await app.read<{ place_result: Located }>("/api/maps/place?data_id=0x1:0x7&include=areas");
  expect(detail.place_result.location.address.district).toBe("Quận 3");
});

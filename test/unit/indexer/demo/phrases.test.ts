import { describe, expect, test } from "vitest";
import { cityNamed, type City } from "../../../../indexer/demo/cities.ts";
import { buildCityMap } from "../../../../indexer/demo/city-map.ts";
import { compilePhrase } from "../../../../indexer/demo/phrases.ts";
import { createRandom } from "../../../../indexer/demo/random.ts";
import { landmarkSpot, type Spot } from "../../../../indexer/demo/spot.ts";

const hoChiMinhCity = cityNamed("Sài Gòn");
const haNoi = cityNamed("Hà Nội");

const spotIn = (city: City) => landmarkSpot(buildCityMap(city), city.landmarks[0]!);
const sceneAt = (spot: Spot, seed = 1) => ({ random: createRandom(seed), spot, brand: "Highlands Coffee" });
const sceneIn = (city: City) => sceneAt(spotIn(city));

describe("a phrase", () => {
  test("with an unfilled slot is refused when it is compiled", () => {
    expect(() => compilePhrase("Quán {nonsense}")).toThrow("no words for {nonsense}");
  });

  test("returns its text", () => {
    expect(compilePhrase("{brand} - {street}, {ward}, {city}")(sceneIn(hoChiMinhCity))).toBe(
      "Highlands Coffee - Lê Lợi, Bến Thành, Sài Gòn",
    );
  });

  test.each([
    [hoChiMinhCity, "đường Lê Lợi"],
    [haNoi, "phố Giải Phóng"],
  ])("uses the regional word for street", (city, road) => {
    expect(compilePhrase("{road}")(sceneIn(city))).toBe(road);
  });

  test("uses regional words if the region has them", () => {
    const owner = compilePhrase("{owner}");
    const owners = (city: City) => {
      const spot = spotIn(city);
      return new Set(Array.from({ length: 300 }, (_, seed) => owner(sceneAt(spot, seed)).split(" ")[0]));
    };
    expect(owners(hoChiMinhCity)).toContain("Dì");
    expect(owners(haNoi)).not.toContain("Dì");
    expect(owners(haNoi)).toContain("Bác");
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { toNetwork } from "../../../../src/http/middleware/authenticate.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:7:ffff::", "2001:db8:0:7::/64"],
  ["2001:0db8:0000:0007:0:0:0:1", "2001:db8:0:7::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["no address", "no address"],
  ["", ""],
])("%s is counted as %s", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test("an IPv6 address in any notation belongs to the network of its first half", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const some = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(some, (groups) => {
      const long = groups.map((value) => value.toString(16).padStart(4, "0")).join(":");
      // The URL parser writes it in its shortest form.
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      const expected = `${groups
        .slice(0, 4)
        .map((value) => value.toString(16))
        .join(":")}::/64`;
      expect([toNetwork(long), toNetwork(short)]).toStrictEqual([expected, expected]);
    }),
  );
});

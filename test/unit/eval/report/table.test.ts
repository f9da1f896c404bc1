import { expect, test } from "vitest";
import { formatTable } from "../../../eval/report/table.ts";

test("a table has its first column to the left, the others to the right, and no spaces at the ends", () => {
  expect(
    formatTable([
      ["kind", "MRR", "goal"],
      ["no marks", "1.000", ""],
    ]),
  ).toBe("kind        MRR  goal\nno marks  1.000");
});

import { expect, test } from "vitest";
import { maskTexts } from "./run-mask.ts";

test("texts are masked wherever they stand, and nothing else changes (I13)", () => {
  const mask = (text: string) => text.replaceAll("s3cret", "[masked]");
  const document = { a: "x s3cret", n: 3, list: [null, "s3cret", { deep: true, none: "" }] };
  expect(maskTexts(document, mask)).toEqual({
    a: "x [masked]",
    n: 3,
    list: [null, "[masked]", { deep: true, none: "" }],
  });
});

import { expect, test } from "vitest";
import { createMasker } from "../process/mask/masker.ts";
import { maskDiff } from "./run-mask.ts";

const { text: mask } = createMasker(["hunter2hunter2"]);
const KEY = [
  "-----BEGIN PRIVATE KEY-----",
  "MIIEvQIBADANBgkqhkiG",
  "9w0BAQEFAASCBKcwggSj",
  "-----END PRIVATE KEY-----",
];

test.each(["+", "-", " "])(
  "a key of many lines is masked whole behind the sign %j, and every line keeps it (I13)",
  (sign) => {
    const lines = [...KEY, "password=hunter2hunter2", "rest"].map((line) => `${sign}${line}`);
    const diff = ["--- a/key.pem", "+++ b/key.pem", "@@ -1,6 +1,6 @@", ...lines, ""].join("\n");
    const clean = maskDiff(diff, mask).split("\n");
    expect(clean.join("\n")).not.toMatch(/MIIE|9w0B|hunter/);
    expect(clean.map((line) => line.slice(0, 1))).toEqual(diff.split("\n").map((line) => line.slice(0, 1)));
    expect(clean.slice(-3)).toEqual([`${sign}password=[masked]`, `${sign}rest`, ""]);
  },
);

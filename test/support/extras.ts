import { describe, test } from "vitest";

/** Something that tests need and a fresh machine lacks. */
export type Extra = { readonly name: string; readonly isThere: boolean; readonly install: string };

const { PLAIT_REQUIRE } = process.env;
const required = (PLAIT_REQUIRE ?? "").split(",");

/** Tests that need it: skipped where it is missing, with one line that says what to install; red where PLAIT_REQUIRE asks for it. */
export function describeWith({ name, isThere, install }: Extra, title: string, tests: () => void): void {
  if (isThere) describe(title, tests);
  else if (required.includes(name))
    test(title, () => Promise.reject(new Error(`there is no ${name}; ${install}`)));
  else test.skip(`${title} (there is no ${name}; ${install})`);
}

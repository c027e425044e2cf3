import { expect, test } from "vitest";
import { analyzeSample, draftOf } from "../../../test/support/drafts.ts";

test.each([
  "PATH",
  "DYLD_INSERT_LIBRARIES",
  "NODE_OPTIONS",
  "PYTHONPATH",
  "GIT_DIR",
  "IFS",
  "BASH_ENV",
  "ENV",
  "CAST_SUBPROCESS",
])("a plan may not set %s", (name) => {
  const { diagnostics } = analyzeSample(draftOf([{ id: "a", env: { [name]: "x" } }]));
  expect(diagnostics.map(({ code }) => code)).toEqual(["env-refused"]);
});

test.each(["HOME", "LANG", "LDFLAGS", "GITHUB_TOKEN", "MY_PATH", "_x"])("a plan may set %s", (name) => {
  expect(analyzeSample(draftOf([{ id: "a", env: { [name]: "x" } }])).diagnostics).toEqual([]);
});

import { expect, test } from "vitest";
import { describePushRefusal } from "./push.ts";

const FAILED = "error: failed to push some refs to '../server.git'";
const HINTS =
  "hint: Updates were rejected because the remote contains work that you do not\nhint: have locally.";
const GITHUB = `remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: Required status check "test" is expected.
To github.com:a/b.git
${FAILED}`;

test.each([
  [
    "a hook of the server",
    `remote: \nremote: line 1\nremote: line 2\n${FAILED}`,
    "[remote rejected] (pre-receive hook declined)",
    "line 1 (pre-receive hook declined)",
  ],
  [
    "a protected branch",
    GITHUB,
    "[remote rejected] (protected branch hook declined)",
    "error: GH006: Protected branch update failed for refs/heads/main. (protected branch hook declined)",
  ],
  [
    "commits of others",
    `${FAILED}\n${HINTS}`,
    "[rejected] (fetch first)",
    "main on origin has commits that you do not have. Merge them: git pull --no-rebase origin main, then push: git push origin main",
  ],
  ["a hook here", `not on a friday\n${FAILED}`, "", "not on a friday"],
  [
    "a lost line",
    "ssh: connect to host x port 22: timed out\nfatal: Could not read from remote repository.\n\nPlease make sure",
    "",
    "fatal: Could not read from remote repository.",
  ],
  ["silence", "", "[remote rejected] (hook declined)", "origin refused the push: hook declined"],
])("a push refused by %s has one line as its reason", (_, stderr, why, detail) => {
  const refusal = describePushRefusal({ remote: "origin", branch: "main", stderr, why });
  expect(refusal.detail).toBe(detail);
  for (const line of [stderr.trim(), why]) expect(refusal.said).toContain(line);
});

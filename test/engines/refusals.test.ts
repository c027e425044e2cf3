// Work that must not be merged, however well everything else went.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { factsOf, place, runPlan, sh } from "./local.ts";

const SECRET = "hunter2-hunter2-hunter2";

function withSecret() {
  const at = place();
  return { ...at, host: { ...at.host, env: { ...at.host.env, API_TOKEN: SECRET } } };
}

describe.concurrent("is not merged", () => {
  test("work of which a part is too large to be saved: it stays in its worktree, and is named (I1, I2)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `save: { max-bytes: 1MB }
tasks:
  - { id: one, retries: 0, prompt: "demo: run echo small > one.txt; head -c 3000000 /dev/zero > model.bin" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    const [saved] = factsOf(ran, "attempt.saved");
    expect(saved?.findings).toMatchObject([{ kind: "not-saved", path: "model.bin", blocks: true }]);
    expect(existsSync(join(saved?.kept ?? "", "model.bin"))).toBe(true);
    expect(sh(at, "git ls-files")).toBe("a.txt");
  });

  test("a secret in the name of a file or in the message of a commit (I13)", async () => {
    const at = withSecret();
    const ran = await runPlan(
      at,
      `tasks:
  - { id: name, retries: 0, prompt: "demo: run echo x > f-$API_TOKEN.txt" }
  - { id: message, retries: 0, prompt: "demo: run echo x > g.txt; git add g.txt; git -c user.name=A -c user.email=a@x commit -q -m $API_TOKEN" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    for (const { findings } of factsOf(ran, "attempt.saved")) {
      expect(findings).toMatchObject([{ kind: "secret", blocks: true }]);
    }
    expect(JSON.stringify(ran.facts)).not.toContain(SECRET);
    expect(factsOf(ran, "candidate.built")).toEqual([]);
  });

  test("a private file that was copied in, by a link that the work of another made (I3, I13)", async () => {
    const at = place({ ".gitignore": "local.env\n", "conf/keep.txt": "k\n" });
    writeFileSync(join(at.repo, "conf/local.env"), "PRIVATE=1\n");
    mkdirSync(join(at.repo, "mine"));
    const ran = await runPlan(
      at,
      `land: never
copy: [conf/local.env]
gates: [{ name: g, run: "true" }]
tasks:
  - { id: one, prompt: "demo: run git mv conf shared && ln -s shared conf" }
  - { id: two, needs: [one], prompt: "demo: run rm conf && ln -s ${at.repo}/mine conf" }
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(sh(at, `git ls-tree -r --name-only plait/${ran.state.run}/integration`)).toBe(
      ".gitignore\nconf\nshared/keep.txt",
    );
    expect(existsSync(join(at.repo, "mine/local.env"))).toBe(false);
  });
});

test("a thousand things to say about an attempt make one small fact (I10)", async () => {
  const at = place();
  const ran = await runPlan(
    at,
    `tasks:
  - { id: look, access: read-only, prompt: "demo: run for i in $(seq 1000); do echo x > stray-$i.txt; done" }
`,
  );
  expect(ran.outcome).toBe("complete");
  const findings = factsOf(ran, "attempt.saved")[0]?.findings ?? [];
  expect(findings).toHaveLength(101);
  expect(findings.at(-1)?.detail).toBe("and 900 more like this");
});

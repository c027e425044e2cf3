// `--sandbox`, `sandbox:` and `grant:` as a user meets them: what a run does, records and reports.

import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { factsOf, git, journal, makeRepo, type Place, plait, runPlan, writePlan } from "../faults/support.ts";
import { describeWith } from "../support/extras.ts";

const bubblewrap = {
  name: "bubblewrap",
  isThere: existsSync("/usr/bin/bwrap"),
  install: "apt install bubblewrap",
};

/** A bubblewrap that fails as the real one does under Ubuntu's AppArmor rule. */
function breakBubblewrap(place: Place): Place {
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  const lines = [
    "#!/bin/sh",
    '[ "$1" = --version ] && { echo bubblewrap 0.8.0; exit 0; }',
    'echo "bwrap: setting up uid map: Permission denied" >&2',
    "exit 1",
  ];
  writeFileSync(join(bin, "bwrap"), `${lines.join("\n")}\n`);
  chmodSync(join(bin, "bwrap"), 0o755);
  return { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } };
}

const command = (id: string, line: string, more: object = {}) => ({ id, command: line, ...more });

describeWith(bubblewrap, "I12: a run in the sandbox", () => {
  test("works, lands, and says what was kept from it with the grant that allows it", async () => {
    const place = makeRepo();
    const home = join(place.root, "home");
    mkdirSync(join(home, ".aws"));
    writeFileSync(join(home, ".aws/config"), "region\n");
    const tries = [
      `cat ${home}/.aws/config`,
      `echo x > ${place.outside}/planted`,
      "echo no DB_PASSWORD here",
    ];
    const plan = writePlan(
      place,
      [
        command(
          "t",
          `${tries.map((one) => `(${one}) 2>&1`).join("; ")}; env > env.txt; git commit -q --allow-empty -m own; echo done > t.txt`,
        ),
      ],
      { sandbox: "required", gates: [`test ! -e ${home}/.aws`] },
    );
    const end = await runPlan(place, plan, [], { env: { DB_PASSWORD: "correct-horse" } });
    expect(end).toMatchObject({ code: 0 });
    expect(existsSync(join(place.outside, "planted"))).toBe(false);
    expect(git(place, "show", "main:env.txt")).not.toContain("correct-horse");
    const [started] = factsOf(journal(place), "run.started");
    expect(started).toMatchObject({ sandbox: { by: "bubblewrap" } });
    const report = (await plait(place, ["report"])).stdout;
    expect(report).toContain("sandbox: bubblewrap ");
    expect(report).toContain(`"ro:${home}/.aws/config"`);
    expect(report).toContain(`"${place.outside}"`);
    expect(report).toContain('"$DB_PASSWORD"');
  });

  test("lets through what is granted, and refuses a link", async () => {
    const place = makeRepo();
    const { outside, root } = place;
    writeFileSync(join(root, "data.txt"), "data\n");
    const grant = [outside, `ro:${root}/data.txt`, "$DB_PASSWORD"];
    const line = `cat ${root}/data.txt > t.txt; echo x > ${outside}/new; test -n "$DB_PASSWORD"`;
    const plan = writePlan(place, [command("t", line)], { sandbox: "required", grant });
    expect(await runPlan(place, plan, [], { env: { DB_PASSWORD: "correct-horse" } })).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(outside, "new"))).toBe(true);
    expect(git(place, "show", "main:t.txt")).toBe("data");

    symlinkSync(root, join(outside, "link"));
    const linked = writePlan(place, [command("t", "true")], {
      sandbox: "required",
      grant: [join(outside, "link")],
    });
    const refused = await runPlan(place, linked);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is a link") });
  });

  test("gives a read-only task its reports to write, and nothing else", async () => {
    const place = makeRepo();
    const line = "echo x > a.txt; echo found > reports/found.md; true";
    const task = command("look", line, { access: "read-only", reports: ["reports/*.md"] });
    const plan = writePlan(place, [task], { sandbox: "required" });
    expect(await runPlan(place, plan)).toMatchObject({ code: 0 });
    expect((await plait(place, ["report"])).stdout).toContain("found.md");
    expect(factsOf(journal(place), "attempt.saved")).toMatchObject([{ changed: false }]);
  });

  test("does not take a sandbox that fails for a red gate, nor for work that failed", async () => {
    const place = makeRepo();
    const plan = writePlan(place, [command("t", "no-such-program-at-all")], { sandbox: "required" });
    const end = await runPlan(place, plan);
    expect(end).toMatchObject({ code: 1 });
    expect(factsOf(journal(place), "attempt.ended")[0]?.failure).not.toBeNull();
  });
});

describe("where the sandbox does not work", () => {
  test("`required` refuses with exit 3 before anything is made", async () => {
    const place = breakBubblewrap(makeRepo());
    const plan = writePlan(place, [command("t", "echo x > t.txt")]);
    const end = await runPlan(place, plan, ["--sandbox", "required"]);
    expect(end).toMatchObject({ code: 3, stderr: expect.stringContaining("AppArmor") });
    expect(end.stderr).toContain("setting up uid map: Permission denied");
    expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
    expect(await plait(place, ["doctor", "sandbox"])).toMatchObject({ code: 3 });
  });

  test("`auto` runs without it, and says so at the start, in the journal and in the report", async () => {
    const place = breakBubblewrap(makeRepo());
    const plan = writePlan(place, [command("t", "echo x > t.txt")], { sandbox: "auto" });
    const end = await runPlan(place, plan);
    expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining("no sandbox: AppArmor") });
    expect(factsOf(journal(place), "run.started")).toMatchObject([
      { sandbox: { by: null, problem: { kind: "apparmor" } } },
    ]);
    expect((await plait(place, ["report"])).stdout).toContain("no sandbox: AppArmor");
  });

  test("a `required` of the user's configuration holds against a plan, and a flag against both", async () => {
    const place = breakBubblewrap(makeRepo());
    const folder = join(place.root, "home/.config/plait");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.yaml"), "sandbox: required\n");
    const plan = writePlan(place, [command("t", "echo x > t.txt")], { sandbox: "off" });
    expect(await runPlan(place, plan)).toMatchObject({ code: 3 });
    expect(await runPlan(place, plan, ["--sandbox", "off"])).toMatchObject({ code: 0 });
  });
});

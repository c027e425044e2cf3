import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

/** Files that several tasks add to: they run together, and all additions are kept. */

const APP = { "src/app.txt": "begin\nroutes:\nend\n", "src/a.txt": "a\n" };

const insert = (line: string) =>
  `demo: sleep 300ms\\ndemo: run sed -i 's/^routes:/&\\\\n  ${line}/' src/app.txt`;

function run(place: Place, plan: string, ...flags: string[]) {
  writeFileSync(join(dirname(place.repo), "plan.yaml"), `plait: 1\nname: shop\n${plan}`);
  return plaitIn(place, "run", "../plan.yaml", "--allow-root", "--agent", "demo", ...flags);
}

describe.concurrent("a shared file", () => {
  it("keeps the additions of all tasks that declare it shared, in merge order (I1, I9)", async () => {
    const place = makePlace(APP);
    const ran = await run(
      place,
      `gates: ["test -f src/a.txt"]
defaults: { retries: 0, fix-rounds: 0 }
tasks:
  - { id: search, owns: [{ shared: src/app.txt }], prompt: "${insert("search")}" }
  - { id: tax, owns: [{ shared: src/app.txt }], prompt: "${insert("tax")}" }
  - { id: mail, owns: [{ shared: src/app.txt }], prompt: "${insert("mail")}" }
`,
    );
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const [, , ...lines] = git(place, "show", "main:src/app.txt").split("\n");
    expect(lines.slice(0, -1).toSorted()).toEqual(["  mail", "  search", "  tax"]);
    expect(lines.at(-1)).toBe("end");
    expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain("src/app.txt: additions of");
    const preview = await plaitIn(place, "plan", "../plan.yaml");
    expect(preview.stdout).toContain("shared src/app.txt");
  });

  it("is an ordinary conflict where a task changed lines, or the other task owns it alone", async () => {
    const place = makePlace(APP);
    const ran = await run(
      place,
      `defaults: { retries: 0, fix-rounds: 0 }
tasks:
  - { id: search, owns: [{ shared: src/app.txt }], prompt: "${insert("search")}" }
  - { id: tax, owns: [{ shared: src/app.txt }], prompt: "demo: run sed -i 's/^routes:/paths:/' src/app.txt" }
`,
    );
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("src/app.txt");
    expect(ran.stdout).toContain("1 failed");
    const overlap = await run(
      place,
      `tasks:
  - { id: search, owns: [{ shared: src/app.txt }], prompt: x }
  - { id: tax, owns: src/app.txt, prompt: x }
`,
    );
    expect(overlap.code).toBe(2);
    expect(overlap.stderr).toContain("ownership-overlap");
    expect(overlap.stderr.replaceAll(/\s+/g, " ")).toContain("or mark the path `shared` in `tax` too");
  });
});

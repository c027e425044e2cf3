import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePlace, plaitIn } from "./place.ts";

const merged = "git log --oneline --glob='refs/heads/plait/*/integration'";
const names = Array.from({ length: 22 }, (_, n) => `src/a-folder/with-a-long-name/file-${10 + n}.txt`);
const write = (text: string) => names.map((name) => `      demo: write ${name} ${text}`).join("\n");
const onFirst = (text: string) => write(text).replaceAll("demo:", "demo: on attempt 1:");

/** `right` writes what `left` has written; its fix gets the conflict, keeps a copy of a file, and resolves nothing. */
const plan = (copy: string) => `plait: 1
name: shop
defaults: { agent: demo, retries: 0, fix-rounds: 1 }
gates: ["true"]
tasks:
  - id: left
    priority: 1
    title: Add the API
    prompt: |
${write("left")}
  - id: right
    title: Add tax
    prompt: |
      demo: on attempt 1: run until ${merged} | grep -q 'Add the API'; do sleep 0.05; done
${onFirst("right")}
      demo: on attempt 2: run cp ${names[0]} ${copy}
      demo: on attempt 2: write other.txt x
`;

it("open names the files in conflict, and the markers say whose side is whose, as they did to the agent (I8)", async () => {
  const place = makePlace(Object.fromEntries(names.map((name) => [name, "old\n"])));
  const root = dirname(place.repo);
  const copy = join(root, "copy.txt");
  writeFileSync(join(root, "plan.yaml"), plan(copy));
  const ran = await plaitIn(place, "run", "../plan.yaml", "-j", "2", "--allow-root");
  expect(ran.code).toBe(1);
  const marked =
    "<<<<<<< merged: left (Add the API)\nleft\n=======\nright\n>>>>>>> this task: right (Add tax)\n";
  expect(readFileSync(copy, "utf8")).toBe(marked);

  // No terminal: the reason is whole.
  const why = `  conflict with left in ${names[0]}, ${names[1]}, +20\n`;
  expect(ran.stdout).toContain(why);
  expect((await plaitIn(place, "status")).stdout).toContain(why);

  // Saved work with markers is offered to be resolved, not to be merged; that of the first attempt has none.
  const { run } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  const saved = (await plaitIn(place, "rescue", "--branch", `${run}/right/2`)).stdout;
  expect(saved).toContain(`conflict markers in ${names[0]}, ${names[1]}, `);
  expect(saved).toContain(`git switch rescue/${run}/right-2`);
  expect(saved).not.toContain("git merge");
  const clean = (await plaitIn(place, "rescue", "--branch", `${run}/right/1`)).stdout;
  expect(clean).toContain(`git merge rescue/${run}/right-1`);
  expect(clean).not.toContain("conflict markers");

  const { code, stdout } = await plaitIn(place, "open", "right");
  expect(code).toBe(0);
  expect(stdout).toContain(`\nfiles ${names[0]}\n      ${names[1]}\n`);
  expect(stdout).toContain(
    `      ${names[19]}\n      and 2 more\nmarks <<<<<<< merged: left (Add the API)\n      >>>>>>> this task: right (Add tax)\n`,
  );
  const opened = JSON.parse((await plaitIn(place, "open", "right", "--json")).stdout);
  expect(opened.conflicts).toEqual(names);
  expect(opened.sides.merged).toMatchObject({ label: "merged: left (Add the API)", tasks: ["left"] });
  expect(readFileSync(join(opened.worktree, names[21] as string), "utf8")).toBe(marked);

  // One side taken, the other marker left: not resolved.
  for (const name of names) writeFileSync(join(opened.worktree, name), "both\n");
  writeFileSync(join(opened.worktree, names[3] as string), "left\n>>>>>>> this task: right (Add tax)\n");
  const unresolved = await plaitIn(place, "submit", "right");
  expect(unresolved.code).toBe(1);
  expect(unresolved.stderr).toContain(`${names[3]}: has conflict markers`);
  writeFileSync(join(opened.worktree, names[3] as string), "both\n");
  expect((await plaitIn(place, "submit", "right", "--quiet")).code).toBe(0);
  expect(readFileSync(join(place.repo, names[3] as string), "utf8")).toBe("both\n");
});

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeFakeGh } from "../support/fake-gh.ts";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

/** What an agent reports as its summary is what commits, pull requests and later tasks show. */

const DONE = (text: string) => `${text}\\n\\nStatus: DONE\\nSummary: The page asks the index as you type.`;

function makeShop(plan: string): Place {
  const place = makePlace();
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
  return place;
}

const run = (place: Place, ...flags: string[]) =>
  plaitIn(place, "run", "../plan.yaml", "--agent", "demo", "--quiet", ...flags);

function planFor(says: Readonly<Record<string, string>>): string {
  const tasks = Object.entries(says).map(
    ([id, said]) => `  - id: ${id}
    title: Add ${id}
    prompt: |
      demo: write src/${id}.txt x
      demo: say ${said}
`,
  );
  return `plait: 1\nname: shop\ntasks:\n${tasks.join("")}`;
}

test("a commit body is the summary, and agents close or mention nothing there", async () => {
  const place = makeShop(planFor({ search: `${DONE("I added it.")} It fixes #3, thanks @ada.` }));
  expect((await run(place)).code).toBe(0);
  expect(git(place, "log", "-1", "--format=%b", "main")).toMatch(
    /^The page asks the index as you type. It fixes # 3, thanks @ ada\.\n\nPlait-/,
  );
});

test("a squash keeps the summary of each task", async () => {
  const place = makeShop(planFor({ search: DONE("I added it."), tax: "Prices show the tax." }));
  expect((await run(place, "--land-as", "squash")).code).toBe(0);
  const body = git(place, "log", "-1", "--format=%b", "main");
  expect(body).toContain("- Add search\n\n  The page asks the index as you type.\n");
  expect(body).toContain("- Add tax\n\n  Prices show the tax.\n");
});

test("a squash keeps the summary of a task whose subject is cut", async () => {
  const prompt =
    "Add tax to all prices, so that the shop shows what people pay in the end with all that comes on top.";
  const place = makeShop(`${planFor({ search: "Search finds bread." })}  - id: tax
    prompt: |
      ${prompt}
      demo: write src/tax.txt x
      demo: say Tax is added in cents.
`);
  expect((await run(place, "--land-as", "squash")).code).toBe(0);
  const body = git(place, "log", "-1", "--format=%b", "main");
  expect(body).toMatch(/^- Add tax to all prices,.*…\n\n {2}Tax is added in cents\.\n/m);
});

test("a result object says it in a field, and after a fix the last summary counts", async () => {
  const plan = `plait: 1
gates: ["! grep -rn BAD src"]
defaults: { retries: 0, fix-rounds: 1 }
tasks:
  - id: users
    title: Add users
    prompt: |
      demo: write src/users.txt x
      demo: say All set.\\n\\n{"task_completed": true, "summary": "Users sign up with a password."}
  - id: money
    title: Add money
    needs: [users]
    prompt: |
      demo: on attempt 1: write src/money.txt BAD
      demo: on attempt 2: write src/money.txt good
      demo: on attempt 1: say Status: DONE\\nSummary: Money keeps cents.
      demo: on attempt 2: say Fixed it.\\n\\nStatus: DONE\\nSummary: Money keeps cents, because floats lose them.
  - id: quick
    title: Add more
    needs: [money]
    prompt: |
      demo: on attempt 1: write src/quick.txt BAD
      demo: on attempt 2: write src/quick.txt good
      demo: on attempt 1: say Status: DONE\\nSummary: More of it.
      demo: on attempt 2: say Fixed it.
`;
  const place = makeShop(plan);
  const ran = await run(place);
  expect(ran.code, ran.stderr).toBe(0);
  const bodies = git(place, "log", "--reverse", "--first-parent", "--format=%b%x00", "main~3..main")
    .split("\0")
    .map((body) => body.split("\n\nPlait-")[0]?.trim());
  expect(bodies.slice(0, 3)).toEqual([
    "Users sign up with a password.",
    "Money keeps cents, because floats lose them.",
    "More of it.",
  ]);
  const { stdout } = await plaitIn(place, "report");
  expect(stdout).toContain("Summary: Users sign up with a password.");
});

test.each([["--pr"], ["--pr-per-task"]])(
  "a pull request (%s) begins with the summary, without its label",
  async (flag) => {
    const place = makeShop(
      planFor({ search: DONE("I added it."), tax: "Status: DONE\\nSummary: Tax is computed in cents." }),
    );
    const gh = makeFakeGh(dirname(place.repo), place.repo, place.env);
    const ran = await run({ ...place, env: { ...place.env, PATH: `${gh.bin}:${place.env["PATH"]}` } }, flag);
    expect(ran.code, ran.stderr).toBe(0);
    const text = gh
      .pulls()
      .map(({ body }) => body)
      .join("\n");
    expect(text).toMatch(/(?:^|\*\*Add search\.\*\* )The page asks the index as you type\./m);
    expect(text).toMatch(/(?:^|\*\*Add tax\.\*\* )Tax is computed in cents\./m);
    expect(text).not.toContain("Summary: Tax");
  },
);

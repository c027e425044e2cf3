import { beforeAll, describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { makePlace, type Place, plaitIn } from "./place.ts";
import { finish } from "./run-place.ts";

const plan = `plait: 1
name: names
defaults: { agent: demo, retries: 0 }
gates: [{ name: good, run: "true" }]
tasks:
  - id: schema
    owns: [schema.txt]
    prompt: "demo: write schema.txt done"
  - id: payments
    owns: [payments.txt]
    prompt: |
      demo: write payments.txt half
      demo: fail agent-said-no the rates are not known
  - id: payouts
    owns: [payouts.txt]
    prompt: "demo: fail agent-said-no the rates are not known"
`;

describe("a task of a run", () => {
  let place: Place;
  let run: string;

  beforeAll(async () => {
    place = makePlace();
    run = await finish(place, plan);
  });

  it.each([
    ["logs", "s"],
    ["diff", "sch"],
    ["diff", "paym", "--stat"],
  ])("is named by a unique beginning: plait %s %s", async (...words) => {
    expect(await askedIn(place, ...words)).toMatchObject({ code: 0 });
  });

  it("is shown in full before it is changed", async () => {
    const stderr = `\`paym\` is task \`payments\` in ${run}\n`;
    expect(await askedIn(place, "open", "paym")).toMatchObject({ code: 0, stderr });
    expect(await askedIn(place, "approve", "paym")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${stderr}error: cannot approve \`payments\``),
    });
  });

  it.each([
    ["logs", "pay"],
    ["diff", "pay"],
    ["open", "pay"],
    ["retry", "pay"],
    ["approve", "pay"],
    ["submit", "pay"],
    ["drop", "pay"],
  ])("is refused with the candidates where several begin so: plait %s %s", async (...words) => {
    expect(await askedIn(place, ...words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: task "pay" in ${run} is ambiguous: payments, payouts\n  help: type more of the id\n`,
    });
  });

  it("is submitted, retried, dropped and restored by a beginning", async () => {
    const branch = await askedIn(place, "rescue", "--branch", "names/paym/1");
    expect([branch.code, branch.stderr]).toEqual([0, ""]);
    const dropped = await plaitIn(place, "drop", "paym", "--json");
    expect(JSON.parse(dropped.stdout)).toMatchObject({ dropped: [{ task: "payments" }] });
    const retried = await plaitIn(place, "retry", "payo", "--quiet", "--allow-root");
    expect([retried.code, retried.stderr]).toEqual([1, ""]);
    expect((await askedIn(place, "logs", "payo", "--attempt", "2")).stdout).toContain("payouts #2");
  });
});

it("--only takes beginnings too", async () => {
  const place = makePlace({ "plan.yaml": plan });
  const { code, stdout } = await plaitIn(place, "run", "--only", "sch", "--quiet", "--allow-root");
  expect(code).toBe(0);
  expect(stdout).toContain("1 of 1");
  const refused = await askedIn(place, "run", "--only", "pay");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'plan: plan.yaml\nerror: task "pay" in the plan is ambiguous: payments, payouts\n  help: type more of the id\n',
  ]);
});

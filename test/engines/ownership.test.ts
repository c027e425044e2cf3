import { describe, expect, test } from "vitest";
import { remarks } from "../../src/core/select/remarks.ts";
import { factsOf, place, promptOf, type Ran, runPlan, sh } from "./local.ts";

const CART = `export class Cart {
  add(n: number) {
    return n;
  }

  total() {
    return 1;
  }
}
`;

const files = {
  "src/cart.ts": CART,
  ".github/workflows/test.yml": "on: push\n",
  "scripts/check.sh": "test -f src/cart.ts\n",
  "package.json": '{ "scripts": { "test": "sh scripts/check.sh", "dev": "vite" } }\n',
  "yarn.lock": "a@1\n",
};

const findings = (ran: Ran, id: string) =>
  factsOf(ran, "attempt.saved")
    .filter(({ attempt }) => attempt === id)
    .flatMap((saved) =>
      saved.findings.map(({ kind, path, blocks }) => `${kind} ${path}${blocks ? " !" : ""}`),
    );

const detailOf = (ran: Ran, path: string) =>
  factsOf(ran, "attempt.saved").flatMap((saved) => saved.findings.filter((one) => one.path === path))[0]
    ?.detail;

describe.concurrent("the diff of an attempt is judged before it may queue", () => {
  test("with enforce: fail what is not its own goes back to the agent, and is not merged before it is taken back (I1, I9)", async () => {
    const at = place(files);
    const ran = await runPlan(
      at,
      `enforce: fail
consent: [lockfiles]
gates: [{ name: check, run: "npm_config_offline=1 sh ./scripts/check.sh" }]
defaults: { retries: 0, fix-rounds: 1 }
tasks:
  - id: adds
    owns: ["src/cart.ts::Cart.add", "**/*.yml", "notes/"]
    prompt: |
      demo: on attempt 1: run sed -i 's/return n/return n + 1/; s/return 1/return 2/' src/cart.ts
      demo: on attempt 1: write .github/workflows/test.yml on: never
      demo: on attempt 1: write scripts/check.sh exit 0
      demo: on attempt 1: write notes/a.md kept
      demo: on attempt 2: run git checkout -q -- .github scripts && sed -i 's/return 2/return 1/' src/cart.ts
  - id: totals
    needs: [adds]
    owns: ["src/cart.ts::Cart.total", "scripts/check.sh"]
    consent: ci
    prompt: |
      demo: run sed -i 's/return 1/return 3/' src/cart.ts
      demo: write .github/workflows/test.yml on: pull_request
      demo: append scripts/check.sh true
      demo: append yarn.lock b@1
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(findings(ran, "adds/1")).toEqual([
      "outside-claims src/cart.ts !",
      "guarded .github/workflows/test.yml !",
      "guarded scripts/check.sh !",
    ]);
    expect(findings(ran, "adds/2")).toEqual([]);
    expect(findings(ran, "totals/1")).toEqual([]);
    const told = promptOf(ran, "adds/2");
    expect(told).toContain(
      "`src/cart.ts`: line 6: `Cart.total` was changed; of this file the task owns only `Cart.add`; owned by totals\n",
    );
    expect(told).toContain("`.github/workflows/test.yml`: a CI file: protected; the plan can allow it");
    expect(told).toContain("`scripts/check.sh`: a script that a gate runs: protected; the plan can allow it");
    const merged = factsOf(ran, "integration.advanced").flatMap(({ tasks }) => tasks);
    expect(merged.map(({ attempt }) => attempt)).toEqual(["adds/2", "totals/1"]);
    const judged = factsOf(ran, "gate.judged").flatMap(({ asked }) => asked);
    expect(judged).not.toContainEqual({ kind: "attempt", attempt: "adds/1" });
    expect(sh(at, "cat src/cart.ts notes/a.md .github/workflows/test.yml yarn.lock")).toBe(
      `${CART.replace("return n", "return n + 1").replace("return 1", "return 3")}kept\non: pull_request\na@1\nb@1`,
    );
  });

  test("with enforce: report it is merged, and told (I9)", async () => {
    const at = place(files);
    const ran = await runPlan(
      at,
      `gates: [{ name: check, run: "true || npm test" }]
tasks:
  - id: all
    prompt: |
      demo: run sed -i 's/sh scripts.check.sh/true/' package.json
      demo: write .claude/settings.json {}
      demo: append yarn.lock b@1
      demo: append scripts/check.sh true
  - id: part
    owns: ["src/cart.ts::Cart.add"]
    prompt: |
      demo: run sed -i 's/return n/return n + 1/; s/return 1/return 2/' src/cart.ts
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(findings(ran, "all/1")).toEqual([
      "guarded .claude/settings.json",
      "guarded package.json",
      "guarded scripts/check.sh",
      "guarded yarn.lock",
    ]);
    expect(findings(ran, "part/1")).toEqual(["outside-claims src/cart.ts"]);
    expect(detailOf(ran, "package.json")).toBe(
      "the script test, which a gate runs: protected; the plan can allow it with `consent: [gate-scripts]`, or by naming the file in `owns`",
    );
    expect(remarks(ran.state)).toEqual([
      "all changed protected files without consent: .claude/settings.json, package.json, scripts/check.sh, yarn.lock",
      "part changed files outside `owns`: src/cart.ts",
    ]);
  });
});

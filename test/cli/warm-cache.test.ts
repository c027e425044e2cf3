import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, type Place, plaitIn } from "./place.ts";
import { root } from "./plait.ts";

const RESULT = join(root, "src/agents/claude/fixtures/success.ndjson");

/** Logs when it is started and when it answers, and answers after half a second. */
const CLAUDE = `#!/bin/sh
case "$1 $2" in
"--version "*) echo "2.1.197 (Claude Code)"; exit ;;
"auth status") echo '{ "loggedIn": true }'; exit ;;
esac
cat > /dev/null
echo "start $*" >> "$HOME/log"
sleep 0.5
echo answer >> "$HOME/log"
cat ${RESULT}
`;

async function runBoth(more: object, contextBytes: number): Promise<{ log: string[]; place: Place }> {
  const place = makePlace();
  const { HOME: home = "", PATH = "" } = place.env;
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), CLAUDE);
  chmodSync(join(bin, "claude"), 0o755);
  const folder = dirname(place.repo);
  writeFileSync(join(folder, "rules.md"), "x".repeat(contextBytes));
  const tasks = ["one", "two", "three"].map((id) => ({ id, prompt: "Look.", access: "read-only" }));
  const plan = { plait: 1, name: "shop", context: ["rules.md"], tasks, ...more };
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  const env = { ...place.env, PATH: `${bin}:${PATH}` };
  const ran = await plaitIn({ ...place, env }, "run", "../plan.json", "--quiet", "-j", "3");
  expect(ran.code, ran.stderr).toBe(0);
  return { log: readFileSync(join(home, "log"), "utf8").trim().split("\n"), place };
}

const verbs = (log: readonly string[]) => log.map((line) => line.split(" ")[0]);

function countWaits({ repo }: Place): number {
  const runs = join(repo, ".git/plait/runs");
  const folder = join(runs, readdirSync(runs)[0] as string, "transcripts");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.filter((text) =>
    text.includes("waiting up to 6 s for the first task to write the prompt cache"),
  ).length;
}

test("tasks with a large shared context wait until the first has an answer, unless the plan turns that off", async () => {
  const warmed = await runBoth({}, 5_000);
  expect(verbs(warmed.log).slice(0, 2)).toEqual(["start", "answer"]);
  expect(countWaits(warmed.place)).toBe(2);
  const [first = "", second = ""] = warmed.log.filter((line) => line.startsWith("start"));
  expect(first).toContain("--exclude-dynamic-system-prompt-sections");
  const file = /--append-system-prompt-file (\S+)/;
  expect(file.exec(first)?.[1]).toBe(file.exec(second)?.[1]);

  const together = await runBoth({ "warm-cache": false }, 5_000);
  expect(countWaits(together.place)).toBe(0);
  expect(countWaits((await runBoth({}, 100)).place)).toBe(0);
});

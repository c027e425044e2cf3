import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/app/host.ts";
import { judgeTechSpec } from "../../src/app/integrate/judge-tech-spec.ts";
import { commitFiles, opened, type Place, revision, tempRepo, usersThings } from "../git/support.ts";

const FILES = {
  "app/stock.py": "LIMIT = 60\n",
  "spec.md":
    "# Stock\n\n## Limits\n\nA reservation ends after 15 minutes.\n\n## API\n\nThere is one endpoint.\n",
};

/** What the agent answers: `{limits}` is its sentence about limits. */
const answer = (limits: string, line: number) =>
  JSON.stringify({
    sections: [
      {
        ...{ section: "Limits", status: "deviates", sentences: [limits], says: "It ends after an hour." },
        places: [{ file: "app/stock.py", line }],
      },
      { section: "API", status: "met", sentences: ["There is one endpoint."], says: "", places: [] },
    ],
  });

/** A host whose agent is a shell script. */
function hostOf({ repo, root, env }: Place, script: string): Host {
  const agent = { title: null, readOnlyArgs: null, env: {}, versionArgv: null, account: null };
  return {
    cwd: repo,
    env: { ...env, XDG_STATE_HOME: join(root, "state") },
    ...{ version: "0", command: "plait", allowRoot: false, allowNested: false },
    agents: [{ ...agent, name: "script", argv: ["sh", "-c", script], exits: { "7": "auth" } }],
  };
}

async function judge(place: Place, script: string) {
  const { commit } = revision(place, "HEAD");
  commitFiles(place, { "app/stock.py": "LIMIT = 15\n" }, "later");
  const before = usersThings(place);
  const said: string[] = [];
  const files: Readonly<Record<string, string>> = FILES;
  const judged = await judgeTechSpec(hostOf(place, script), {
    ...{ repository: await opened(place), commit, budgetUsd: null, signal: new AbortController().signal },
    project: { paths: Object.keys(files).sort(), read: async (path) => files[path] ?? null },
    spec: { id: "TS-0042", file: "spec.md", text: FILES["spec.md"] },
    tasks: [{ task: "task-001", title: "Stock" }],
    agent: { use: "script", name: null, model: "small" },
    limits: { startMs: 20_000, idleMs: 20_000, totalMs: 20_000 },
    tell: {
      warning: (text) => void said.push(`warning: ${text}`),
      doing: () => undefined,
      again: () => undefined,
      round: (n, problems) => void said.push(`${n}: ${problems.join("; ")}`),
    },
  });
  if (!judged.ok) throw new Error(judged.refusal.message);
  expect(usersThings(place)).toEqual(before);
  expect(readdirSync(join(place.root, "state/plait/questions"))).toEqual([]);
  return { ...judged, said };
}

test("an agent judges the commit by sentences that are looked up; what does not hold goes back to it (I3, I8)", async () => {
  const place = tempRepo(FILES);
  const [bad, good] = [
    answer("It never ends at all.", 1),
    answer("A reservation ends\nafter 15 minutes.", 1),
  ];
  const state = join(place.root, "asked");
  const script = `cat app/stock.py >&2
if grep -q 'What you answered'; then cat <<'END'
${good}
END
else cat app/stock.py > ${state}; cat <<'END'
So:
${bad}
END
fi`;
  const { judgement, failure, rounds, said, folder } = await judge(place, script);
  expect(readFileSync(state, "utf8")).toBe("LIMIT = 60\n");
  expect([failure, rounds]).toEqual([null, 2]);
  expect(said).toEqual([
    "1: ",
    '2: section "Limits": the sentence "It never ends at all." does not stand in the tech spec',
  ]);
  expect(judgement).toEqual({
    ...{ agent: "script", model: "small", costUsd: null },
    sections: [
      {
        ...{ section: "Limits", status: "deviates", says: "It ends after an hour." },
        sentences: [{ text: "A reservation ends after 15 minutes.", line: 5 }],
        places: [{ file: "app/stock.py", line: 1 }],
      },
      {
        ...{ section: "API", status: "met", says: "", places: [] },
        sentences: [{ text: "There is one endpoint.", line: 9 }],
      },
    ],
  });
  expect(readdirSync(folder)).toContain("2.prompt.md");
});

test("what never holds is left out after two rounds; an agent that fails leaves what cannot be told", async () => {
  const place = tempRepo(FILES);
  const never = await judge(
    place,
    `cat > /dev/null; cat <<'END'\n${answer("It never ends at all.", 2)}\nEND`,
  );
  expect(never).toMatchObject({ failure: null, rounds: 3 });
  expect(never.judgement.sections).toMatchObject([
    {
      ...{ section: "Limits", status: "cannot-tell", sentences: [], places: [] },
      says: 'the agent says that it deviates (It ends after an hour.), which does not hold up: the sentence "It never ends at all." does not stand in the tech spec',
    },
    { section: "API", status: "met" },
  ]);
  const words = await judge(tempRepo(FILES), "cat > /dev/null; echo I would rather not.");
  expect(words.judgement.sections).toMatchObject([
    { status: "cannot-tell", says: "the agent gave no answer that can be read" },
    { status: "cannot-tell" },
  ]);
  const failed = await judge(tempRepo(FILES), "cat > /dev/null; exit 7");
  expect(failed).toMatchObject({ failure: { reason: "auth" } });
  expect(failed.judgement.sections[0]?.says).toMatch(/^the agent gave no answer \(/);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/app/host.ts";
import { reviewTechSpec } from "../../src/app/integrate/review-tech-spec.ts";
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
        ...{ section: "Limits", status: "deviates", sentences: [limits], text: "It ends after an hour." },
        places: [{ file: "app/stock.py", line }],
      },
      { section: "API", status: "met", sentences: ["There is one endpoint."], text: "", places: [] },
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

async function ask(place: Place, script: string) {
  const { commit } = revision(place, "HEAD");
  commitFiles(place, { "app/stock.py": "LIMIT = 15\n" }, "later");
  const before = usersThings(place);
  const said: string[] = [];
  const files: Readonly<Record<string, string>> = FILES;
  const result = await reviewTechSpec(hostOf(place, script), {
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
  if (!result.ok) throw new Error(result.refusal.message);
  expect(usersThings(place)).toEqual(before);
  expect(readdirSync(join(place.root, "state/plait/questions"))).toEqual([]);
  return { ...result, said };
}

test("quotes of a review are looked up; the agent fixes invalid ones (I3, I8)", async () => {
  const place = tempRepo(FILES);
  const [bad, good] = [
    answer("It never ends at all.", 1),
    answer("A reservation ends\nafter 15 minutes.", 1),
  ];
  const state = join(place.root, "asked");
  const script = `cat app/stock.py >&2
if grep -q 'Your previous answer'; then cat <<'END'
${good}
END
else cat app/stock.py > ${state}; cat <<'END'
So:
${bad}
END
fi`;
  const { review, failure, rounds, said, folder } = await ask(place, script);
  expect(readFileSync(state, "utf8")).toBe("LIMIT = 60\n");
  expect([failure, rounds]).toEqual([null, 2]);
  expect(said).toEqual(["1: ", '2: section "Limits": "It never ends at all." is not in the tech spec']);
  expect(review).toEqual({
    ...{ agent: "script", model: "small", costUsd: null },
    sections: [
      {
        ...{ section: "Limits", status: "deviates", text: "It ends after an hour." },
        sentences: [{ text: "A reservation ends after 15 minutes.", line: 5 }],
        places: [{ file: "app/stock.py", line: 1 }],
      },
      {
        ...{ section: "API", status: "met", text: "", places: [] },
        sentences: [{ text: "There is one endpoint.", line: 9 }],
      },
    ],
  });
  expect(readdirSync(folder)).toContain("2.prompt.md");
});

test("invalid evidence is left out after two fixes; if the agent fails, the sections are unclear", async () => {
  const place = tempRepo(FILES);
  const never = await ask(place, `cat > /dev/null; cat <<'END'\n${answer("It never ends at all.", 2)}\nEND`);
  expect(never).toMatchObject({ failure: null, rounds: 3 });
  expect(never.review.sections).toMatchObject([
    {
      ...{ section: "Limits", status: "unclear", sentences: [], places: [] },
      text: 'the agent answered deviates (It ends after an hour.), but its evidence is invalid: "It never ends at all." is not in the tech spec',
    },
    { section: "API", status: "met" },
  ]);
  const words = await ask(tempRepo(FILES), "cat > /dev/null; echo I would rather not.");
  expect(words.review.sections).toMatchObject([
    { status: "unclear", text: "the agent gave no valid answer" },
    { status: "unclear" },
  ]);
  const failed = await ask(tempRepo(FILES), "cat > /dev/null; exit 7");
  expect(failed).toMatchObject({ failure: { reason: "auth" } });
  expect(failed.review.sections[0]?.text).toMatch(/^the agent gave no answer \(/);
});

/** What `cast-parallel` was asked to do, or what is wrong with the words. They come in any order. */
export type Asked =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      /** As typed, with HOME in the place of a leading tilde. */
      readonly plan: string;
      readonly dryRun: boolean;
      /** How many batches the first stream gets; null is the middle. */
      readonly split: number | null;
      /** The agents' own prompts as a DAG instead of two streams. */
      readonly dag: boolean;
      /** With `dag`: streams name no sub-agent. */
      readonly withoutSubAgents: boolean;
      readonly allowRoot: boolean;
      readonly allowNested: boolean;
    }
  | { readonly kind: "wrong"; readonly message: string };

export const usage = `Usage: cast-parallel [--dry-run] [--split N] [--dag] [--without-sub-agents] [--allow-root] [--allow-nested] <plan-file>

  <plan-file>         Plan file containing a \`json dispatch\` block
  --dry-run           Show batch split without executing
  --split N           Split after batch N (default: auto-midpoint)
  --dag               Run the agents' own prompts as a DAG, as \`plait run\` does, instead of two streams
  --without-sub-agents
                      With --dag: run tasks with plain Claude if their sub-agent is missing
  --allow-root        Allow agents to bypass permissions as root
  --allow-nested      Allow a run inside another run
  --help, -h          Show this help

Examples:
  cast-parallel --dry-run ~/.claude/plans/my-plan.md
  cast-parallel --split 2 ~/.claude/plans/my-plan.md
  cast-parallel --split 3 --dry-run ~/.claude/plans/my-plan.md

See docs/guide/migrating-from-cast-parallel.md for what differs.
`;

const FLAGS: readonly string[] = [
  ...["--dry-run", "--dag", "--without-sub-agents", "--allow-root", "--allow-nested"],
];

/** Word by word, so the first mistake is the one that is told, and help that stands before it is given. */
export function parseWords(words: readonly string[], home: string | null): Asked {
  let [plan, split]: [string, string | null] = ["", null];
  const flags = new Set<string>();
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as string;
    if (word === "--help" || word === "-h") return { kind: "help" };
    if (FLAGS.includes(word)) flags.add(word);
    else if (word === "--split") {
      i += 1;
      split = words[i] ?? "";
      if (split === "") return wrong("--split requires a number");
    } else if (word.startsWith("-")) return wrong(`Unknown flag: ${word}`);
    else if (plan !== "") return wrong(`Unexpected argument: ${word}`);
    else plan = word;
  }
  if (plan === "") return wrong("Plan file is required.");
  if (split !== null && !/^[0-9]+$/.test(split)) return wrong("--split must be a positive integer");
  const dag = flags.has("--dag");
  if (split !== null && dag) return wrong("--split and --dag cannot be combined");
  if (flags.has("--without-sub-agents") && !dag) return wrong("--without-sub-agents requires --dag");
  const count = split === null ? null : Number(split);
  return {
    kind: "run",
    plan: withHome(plan, home),
    dryRun: flags.has("--dry-run"),
    split: count,
    dag,
    withoutSubAgents: flags.has("--without-sub-agents"),
    allowRoot: flags.has("--allow-root"),
    allowNested: flags.has("--allow-nested"),
  };
}

function wrong(message: string): Asked {
  return { kind: "wrong", message };
}

/** Shells expand a tilde that is not quoted; scripts and other programs pass it on. */
function withHome(path: string, home: string | null): string {
  return home === null ? path : path.replace(/^~/, () => home);
}

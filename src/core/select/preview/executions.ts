import { groupBy } from "../../group-by.ts";
import type { Plan } from "../../plan.ts";
import { count } from "../../text/figures.ts";
import { type CommandNote, commandNotes } from "./commands.ts";

/** Something that a run starts or sends as the user: `gate unit`, `npm test`. */
export type Execution = { readonly what: string; readonly text: string };

/** Everything that a run of the plan executes: its agents with what they may do, commands, and addresses that hear of it. */
export function listExecutions(plan: Plan): Execution[] {
  return [...listAgents(plan), ...listCommands(plan), ...listAddresses(plan)];
}

/** What runs without any agent. Agents do what their prompts say: these do it whatever an agent decides. */
export function listCommands(plan: Plan): Execution[] {
  return commandNotes(plan).map((note) => ({ what: nameCommand(note), text: note.command }));
}

function nameCommand({ when, name, command, dir }: CommandNote): string {
  const own = name === null || name === command ? when : `${when} ${name}`;
  return dir === null ? own : `${own} in ${dir}`;
}

/** Hosts only: such an address is often a secret. */
export function listAddresses({ notify, webhooks }: Plan): Execution[] {
  const addresses = [
    ["notify webhook", notify.webhook],
    ["webhook complete", webhooks.complete],
    ["webhook failure", webhooks.failure],
  ] as const;
  return addresses.flatMap(([what, url]) => (url === null ? [] : [{ what, text: originAt(url) }]));
}

/** Of a journal, such a value is sealed and no address. */
export function originAt(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "a sealed address";
}

function listAgents({ tasks }: Plan): Execution[] {
  const agents = tasks.flatMap(({ work, access }) =>
    work.kind === "agent" ? [{ use: work.agent.use, access }] : [],
  );
  const groups = groupBy(agents, ({ use, access }) => JSON.stringify([use, access]));
  return [...groups.values()].map((same) => {
    const [{ use, access } = { use: "", access: "write" }] = same;
    const rights = access === "write" ? "may write files, permission prompts bypassed" : "read-only";
    return { what: `agent ${use}`, text: `${count(same.length, "task")}, ${rights}` };
  });
}

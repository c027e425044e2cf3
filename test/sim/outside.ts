import type { FactBody } from "../../src/core/facts.ts";
import { type Oid, refName } from "../../src/core/ids.ts";
import { gateKey } from "../../src/core/plan.ts";
import { get } from "../../src/core/sorted-map.ts";
import { ENDED_BLANKS, SAVED_BLANKS } from "./blanks.ts";
import type { Fault } from "./faults.ts";
import type { AttemptRecord } from "./ledger.ts";
import { pickFrom, pickTask } from "./person.ts";
import { accountNumber } from "./plans.ts";
import type { Trial } from "./trial.ts";
import { INTEGRATION, savedRef, TARGET, type World } from "./world.ts";

/** What happens to a run from outside: echoes, lost workers, other runs, and what people do with git. */
type FaultOf<K extends Fault["kind"]> = Extract<Fault, { kind: K }>;

/** What workers and queues may say twice long after; people's words are only repeated at once. */
const REPEATED = /^(attempt|candidate|integration|gate|landing\.built|run\.landed|landing\.refused)/;

export function echo(trial: Trial, { pick, isLast }: FaultOf<"echo">): void {
  const { driver, facts } = trial;
  const said = isLast ? facts.slice(-1) : facts.filter(({ type }) => REPEATED.test(type));
  const fact = pickFrom(said, pick);
  if (driver.isOver || fact === undefined || fact.type === "run.resumed") return;
  // Another driver's clock means nothing to this one: what is said again later is said at the time of saying it.
  driver.hear(isLast ? fact : { ...fact, at: driver.now() });
}

export function late(trial: Trial, { pick, what }: FaultOf<"late">): void {
  const over = [...trial.world.ledger.attempts.values()].filter(({ saved }) => saved !== null);
  const record = pickFrom(over, pick);
  if (record !== undefined) hear(trial, lastWord(record, what));
}

/** Another story than the one in the journal: for a lost worker, all went well, or nothing was there to save. */
function lastWord({ id: attempt, started }: AttemptRecord, what: FaultOf<"late">["what"]): FactBody {
  const usage = { costUsd: 3, inputTokens: null, outputTokens: null };
  const nothing = { result: started.base, changed: false, ...SAVED_BLANKS };
  switch (what) {
    case "spawned":
      return { type: "attempt.spawned", attempt, pid: 7, startTime: "7", bootId: "old" };
    case "ended":
      return { type: "attempt.ended", attempt, failure: null, usage, conversation: null, ...ENDED_BLANKS };
    case "saved":
      return { type: "attempt.saved", attempt, ref: refName(savedRef(attempt)), ...nothing };
    default:
      return what satisfies never;
  }
}

export function limit(trial: Trial, { pick, durationMs, why }: FaultOf<"limit">): void {
  const { world } = trial;
  const account = accountNumber(pick);
  world.outages.set(account, world.timeline.now() + durationMs / 2);
  hear(trial, { type: "account.limited", account, until: trial.now() + durationMs, durationMs, why });
}

/** Another run, or a person, removed the record: this run heard of the limit, or met it itself. */
export function forget(trial: Trial, { pick }: FaultOf<"forget">): void {
  const account = accountNumber(pick);
  if (get(trial.state().accounts, account as string) === undefined) return;
  hear(trial, { type: "waits.skipped", accounts: [account], tasks: [], because: "record" });
}

export function holdTask(trial: Trial, { pick }: FaultOf<"hold">): void {
  hear(trial, { type: "task.held", task: pickTask(trial, pick).id, why: "look at it" });
}

/** Only a driver that lives takes in news. */
function hear(trial: Trial, body: FactBody): void {
  if (!trial.driver.isOver) trial.driver.hear(trial.fact(body));
}

export function checkOut({ world }: Trial): void {
  world.head = "refs/heads/elsewhere";
  if (world.git.ref(world.head) === null) world.git.force(world.head, world.base.commit);
}

export function push({ world }: Trial): void {
  commitTo(world, INTEGRATION, { path: "pushed", token: "user.0" });
}

export function commit({ world, planFile }: Trial, { path, isPoison }: FaultOf<"commit">): void {
  const gate = pickFrom(planFile.gates, 0);
  const poison = isPoison && gate !== undefined ? `!${gateKey(gate)}` : "";
  commitTo(world, TARGET, { path, token: `user.${world.timeline.steps()}${poison}` });
}

/** People do not ask plait before they move a branch. */
function commitTo({ git }: World, ref: string, { path, token }: { path: string; token: string }): void {
  const at = git.ref(ref) as Oid;
  const files = new Map(git.files(git.look(at).tree));
  files.set(path, [...(files.get(path) ?? []), token]);
  git.force(ref, git.commit({ parents: [at], tree: git.writeTree(files), trailers: [] }).commit);
}

import type { Fault } from "./faults.ts";
import { checkOut, commit, echo, forget, holdTask, late, limit, push } from "./outside.ts";
import { logIn, pickTask, revise, takeOver } from "./person.ts";
import type { Trial } from "./trial.ts";

/** Makes a fault happen, through the doors that people, workers and other runs really have. */
export function befall(trial: Trial, fault: Fault): void {
  switch (fault.kind) {
    case "crash":
      trial.crash(fault.downMs, fault.wallMs, fault.reaps);
      break;
    case "sleep":
      trial.sleep(fault.ms);
      break;
    case "resume":
      trial.resume();
      break;
    case "stop":
    case "pause":
    case "unpause":
    case "resize":
    case "land":
      trial.ask(fault);
      break;
    case "undo":
      trial.ask({ kind: "undo" });
      break;
    case "hurry":
      trial.ask({ kind: "retry-now" });
      break;
    case "forget":
      forget(trial, fault);
      break;
    case "login":
      logIn(trial, fault.pick);
      break;
    case "retry":
      trial.ask({ kind: "retry", task: pickTask(trial, fault.pick).id, ...(fault.now && { now: true }) });
      break;
    case "approve":
      trial.ask({ kind: "approve", task: pickTask(trial, fault.pick).id });
      break;
    case "cancel":
    case "open":
    case "accept":
      takeOver(trial, pickTask(trial, fault.pick), fault.kind);
      break;
    case "add":
    case "remove":
    case "restore":
    case "change":
    case "redo":
      revise(trial, { kind: fault.kind, pick: fault.pick });
      break;
    case "echo":
      echo(trial, fault);
      break;
    case "late":
      late(trial, fault);
      break;
    case "limit":
      limit(trial, fault);
      break;
    case "hold":
      holdTask(trial, fault);
      break;
    default:
      befallInGit(trial, fault);
  }
}

type InGit = "commit" | "switch" | "push" | "dirty" | "break";

function befallInGit(trial: Trial, fault: Extract<Fault, { kind: InGit }>): void {
  switch (fault.kind) {
    case "commit":
      commit(trial, fault);
      break;
    case "switch":
      checkOut(trial);
      break;
    case "push":
      push(trial);
      break;
    case "dirty":
      trial.world.dirty += 1;
      break;
    case "break":
      trial.world.breakGit(fault);
      break;
    default:
      fault satisfies never;
  }
}

import type * as z from "zod";
import type { DriverProgram, Host, KnownRun, LoadedPlan, OrRefusal, TrustQuestion } from "../app/index.ts";
import type { Policy } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import type { Command } from "../core/text/command.ts";

/** What the tools need of whoever serves them: who asks, how plans are read here, and what drives a run. */
export type Workshop = {
  /** For each call anew: configuration files may have changed. */
  readonly host: (command: Command) => Promise<OrRefusal<{ host: Host }>>;
  /** A plan as `plait run` would take it, with what configuration files say. Commands in it are not run unless asked for. */
  readonly readPlan: (wanted: WantedPlan) => Promise<OrRefusal<PlanRead>>;
  /** Refused where a person has not agreed to what files from somewhere else would execute. */
  readonly agree: (asked: TrustQuestion) => Promise<OrRefusal<object>>;
  readonly policy: (plan: Plan, wanted: WantedPlan) => Policy;
  readonly program: DriverProgram;
  /** The log of an attempt as people read it. */
  readonly logText: (known: KnownRun, attempt: AttemptId) => Promise<string>;
  readonly version: string;
};

export type PlanRead = { readonly loaded: LoadedPlan; readonly project: TrustQuestion["project"] };

/** A plan, and what is to be otherwise than it says. */
export type WantedPlan = {
  readonly path: string;
  readonly format?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly budgetUsd?: number | undefined;
  readonly land?: Plan["land"] | undefined;
  readonly withoutSubAgents?: boolean | undefined;
  /** Whether commands in the plan that make tasks of their lines may be run. */
  readonly runCommands: boolean;
};

/** One tool: what it takes, what it gives, and whether it changes anything. */
export type Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
    /** It starts agents, or pushes: what follows reaches beyond this machine. */
    readonly openWorld?: boolean;
  };
  readonly act: (
    input: z.output<Input>,
    workshop: Workshop,
    signal: AbortSignal,
  ) => Promise<OrRefusal<{ answer: z.input<Output> }>>;
};

/** Keeps the types of both schemas together; a list of tools forgets them. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(made: Tool<I, O>): Tool {
  return made as unknown as Tool;
}

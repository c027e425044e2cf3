/** How much of a plan is read before anything else is asked; all settable, each by a flag and a variable of its own. */
export type Caps = {
  readonly maxPlanBytes: number;
  /** Maps and lists inside one another. */
  readonly maxDepth: number;
  readonly maxTasks: number;
  /** Of one prompt or one context file. */
  readonly maxPromptBytes: number;
};

/** The flag that raises a cap; messages about a cap name it. */
export const capFlags: { readonly [Cap in keyof Caps]: string } = {
  maxPlanBytes: "--max-plan-bytes",
  maxDepth: "--max-depth",
  maxTasks: "--max-tasks",
  maxPromptBytes: "--max-prompt-bytes",
};

import * as z from "zod";
import type { LandStyle, Publish } from "../../core/plan.ts";
import { defined, optional, text } from "./values.ts";

/** `land:` of plans and configuration files: a word that says when, or a map that also says how. */

const when = z.enum(["end", "partial", "never"]);

const how = z
  .strictObject({
    when: optional(
      when,
      "end: when all is done (default). partial: what was done. never: you take it yourself.",
    ),
    as: optional(
      z.enum(["merge", "squash", "rebase"]),
      "rebase: one commit per task, in a line (default). merge: with the history of the run. squash: one commit.",
    ),
    sign: optional(z.boolean(), "Sign the commits that land; without it, as your git is configured."),
    signoff: optional(z.boolean(), "Add your Signed-off-by to the commits that land."),
    message: optional(
      text,
      "The message of the commit that lands; {run}, {plan}, {tasks} and {count} are filled in.",
    ),
    author: optional(
      z.enum(["user", "kept"]),
      "user: squashed and rebased commits are yours. kept: they keep their author (default).",
    ),
    "co-author": optional(
      z.boolean(),
      "Name the agent of a task in its commit: Co-Authored-By (default: false).",
    ),
    onto: optional(text, "The branch to land on (default: the branch you are on)."),
    push: optional(z.boolean(), "Push the branch once it has landed."),
    "pull-request": optional(
      z.union([z.boolean(), z.literal("per-task")]),
      "Open a pull request with gh instead of landing. per-task: one for each task, stacked in the order of needs.",
    ),
    draft: optional(z.boolean(), "Open the pull request as a draft."),
    reviewers: optional(z.array(text), "Who is asked to review the pull request."),
    labels: optional(z.array(text), "Labels of the pull request."),
  })
  .meta({ title: "land" });

export const land = z
  .union([when.transform((word): z.output<typeof how> => ({ when: word })), how])
  .meta({ id: "land", title: "Land" });

type LandFile = z.output<typeof how> | undefined;

export function landStyleOf(file: LandFile): Partial<LandStyle> {
  const { as, sign, signoff, message, author, onto, draft, reviewers, labels } = file ?? {};
  const commits = { as, sign, signoff, message, author, coAuthor: file?.["co-author"] };
  return defined({ ...commits, onto, draft, reviewers, labels });
}

export function publishOf(file: LandFile): Publish | null {
  if (file?.["pull-request"] === true) return "pull-request";
  if (file?.["pull-request"] === "per-task") return "pull-request-per-task";
  if (file?.push === true) return "push";
  return file?.push === false || file?.["pull-request"] === false ? "no" : null;
}

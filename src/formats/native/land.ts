import * as z from "zod";
import type { LandStyle, Publish } from "../../core/plan.ts";
import { defined, optional, text } from "./values.ts";

/** `land:` of plans and configuration files: a word that says when, or a map that also says how. */

const when = z.enum(["end", "partial", "never"]);

const how = z
  .strictObject({
    when: optional(
      when,
      "end (default): land when every task is done. partial: land the tasks that are done. never: land later with `plait land`.",
    ),
    as: optional(
      z.enum(["merge", "squash", "rebase"]),
      "rebase (default): one commit per task. merge: the run's history, with a merge commit if your branch has new commits. squash: one commit.",
    ),
    sign: optional(z.boolean(), "Sign the commits that land (default: as git is configured)."),
    signoff: optional(z.boolean(), "Add your Signed-off-by to the commits that land."),
    message: optional(
      text,
      "Message of the squash or merge commit. {run}, {plan}, {tasks} and {count} are replaced.",
    ),
    author: optional(
      z.enum(["user", "kept"]),
      "kept (default): squashed and rebased commits keep their author. user: you are the author.",
    ),
    "co-author": optional(z.boolean(), "Add Co-Authored-By with the task's agent (default: false)."),
    onto: optional(text, "The branch to land on (default: the branch you are on)."),
    push: optional(z.boolean(), "Push the branch after landing."),
    "pull-request": optional(
      z.union([z.boolean(), z.literal("per-task")]),
      "Open a pull request with gh instead of landing. per-task: one per task, stacked in the order of `needs`.",
    ),
    draft: optional(z.boolean(), "Open the pull request as a draft."),
    reviewers: optional(z.array(text), "Reviewers of the pull request."),
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

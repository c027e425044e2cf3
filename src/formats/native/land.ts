import * as z from "zod";
import type { LandStyle, Publish } from "../../core/plan.ts";
import { optional, text } from "./values.ts";

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
      "merge: with its history (default). squash: as one commit. rebase: one commit a task, in a line.",
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
    push: optional(z.boolean(), "Push the branch once it has landed."),
    "pull-request": optional(
      z.boolean(),
      "Push the result to a branch of its own and open a pull request with gh, instead of landing it here.",
    ),
  })
  .meta({ title: "land" });

export const land = z
  .union([when.transform((word): z.output<typeof how> => ({ when: word })), how])
  .meta({ id: "land", title: "Land" });

type LandFile = z.output<typeof how> | undefined;

/** Only what the file says. */
export function landStyleOf(file: LandFile): Partial<LandStyle> {
  const { as, sign, signoff, message, author } = file ?? {};
  return {
    ...(as && { as }),
    ...(sign !== undefined && { sign }),
    ...(signoff !== undefined && { signoff }),
    ...(message !== undefined && { message }),
    ...(author && { author }),
  };
}

export function publishOf(file: LandFile): Publish | null {
  if (file?.["pull-request"] === true) return "pull-request";
  if (file?.push === true) return "push";
  return file?.push === false || file?.["pull-request"] === false ? "no" : null;
}

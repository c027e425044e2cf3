import * as z from "zod";
import type { Notify } from "../../core/plan.ts";
import { isLoopback } from "../../util/loopback.ts";
import { command, defined, optional } from "./values.ts";

/** Where messages of plait may go that the user's file asks for. What is posted tells of the run, so it goes to nobody on the way. */
export const ownOrOutsideAddress = address(
  "a URL that begins with https:// (http:// only for this machine)",
  ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && isLoopback(hostname)),
);

/** Plans and the files of a repository come from others: what one asks for never reaches this machine. */
export const outsideAddress = address(
  "a URL that begins with https:// and does not point to this machine",
  ({ protocol, hostname }) => protocol === "https:" && !isLoopback(hostname),
);

const WEBHOOK = "An https URL that receives the message as JSON in a POST request.";

function address(error: string, isAllowed: (url: URL) => boolean) {
  return z
    .string({ error })
    .max(2_000, { error: "at most 2000 characters long" })
    .refine((written) => URL.canParse(written) && isAllowed(new URL(written)), { error });
}

/** How a person is told that they are needed; in configurations, the address may also be on this machine. */
export const notify = z
  .strictObject({
    bell: optional(z.boolean(), "Ring the terminal bell (default: true)."),
    desktop: optional(z.boolean(), "Show a desktop notification (default: false)."),
    command: optional(command, "A command to run; PLAIT_NOTIFY_TEXT has the message."),
    webhook: optional(outsideAddress, WEBHOOK),
    when: optional(
      z.enum(["needed", "end"]),
      "needed (default): notify when the run needs you. end: also when the run ends.",
    ),
  })
  .meta({ title: "notify" });

export const configNotify = notify
  .extend({ webhook: optional(ownOrOutsideAddress, WEBHOOK) })
  .meta({ title: "notify" });

type NotifyFile = z.output<typeof notify>;

export function notifyOf({ bell, desktop, command, webhook, when }: NotifyFile = {}): Partial<Notify> {
  return defined({ bell, desktop, command, webhook, when });
}

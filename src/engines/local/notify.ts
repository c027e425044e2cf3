// Exactly one notification when a person becomes needed: by the bell, on the desktop, by a command, to a webhook, as the plan and the
// configuration say. The needs that were sent are kept in a small file of the run folder, written before the notification goes out, so
// that the next driver sends none twice. Whether it arrives changes nothing; that is in `hooks.log`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Notify } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import type { RunView } from "../../core/run-view.ts";
import {
  buildNotification,
  findUnsentNeeds,
  type Notification,
  type SentNeedKeys,
} from "../../core/select/needs.ts";
import { formatCommand } from "../../core/text/command.ts";
import { runCommand } from "../../process/run-command.ts";
import type { Timer } from "../../util/clock.ts";
import { terminalText } from "../../util/terminal-text.ts";
import { callHook, logHook } from "./hooks.ts";
import { programEnv, type RunContext, supervision } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";
import { failedDelivery, postMessage } from "./webhook.ts";

/** Writes to the terminal that the driver was started from. */
export type Terminal = (text: string) => void;

/** What comes together is told together. */
const GATHER_MS = 1_000;

export function runNotices(site: RunContext, view: RunView, terminal: Terminal | null) {
  const file = join(site.folder.path, "notified.json");
  let sent: SentNeedKeys = [];
  let gathering: Timer | null = null;
  let last: Promise<void> = Promise.resolve();

  const remember = (keys: SentNeedKeys): void => {
    if (keys.join("\n") === sent.join("\n")) return;
    sent = keys;
    last = last.then(() => writeWhole(file, `${JSON.stringify(keys)}\n`).catch(() => undefined)); // a full disk
  };
  const tell = (isAsked: boolean): void => {
    gathering?.cancel();
    gathering = null;
    const state = view.state();
    const { isNew, keys } = findUnsentNeeds(state, sent);
    remember(keys);
    if (!isNew && !isAsked) return;
    const { notify } = state.index.plan;
    last = last.then(() =>
      deliver(site, { notify, terminal, message: mask(site, buildNotification(state)) }),
    );
  };
  const look = (state: RunState): void => {
    const { isNew, keys } = findUnsentNeeds(state, sent);
    if (!isNew) remember(keys);
    else gathering ??= site.clock.setTimer(GATHER_MS, () => tell(false));
  };
  return {
    /** Tells what nobody was told yet, and what comes. */
    begin: async (): Promise<void> => {
      sent = await readSent(file);
      look(view.state());
      view.subscribe({
        fact: (fact, after, before) => {
          if (fact.type === "run.ended") tell(after.index.plan.notify.when === "end");
          else if (mayMatter(before, after)) look(after);
        },
      });
    },
    /** Resolves when the last message is out. */
    done: async (): Promise<void> => {
      if (gathering !== null) tell(false);
      await last;
    },
  };
}

/** The parts of a state that need a person. */
function mayMatter(before: RunState, after: RunState): boolean {
  return (
    before.indices.phases.held !== after.indices.phases.held ||
    before.accounts !== after.accounts ||
    before.held !== after.held ||
    before.landing !== after.landing ||
    before.published !== after.published ||
    before.ended !== after.ended
  );
}

async function readSent(file: string): Promise<SentNeedKeys> {
  try {
    const keys: unknown = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    return []; // nothing was sent yet
  }
}

/** As it is sent: commands as they are typed. */
type Message = Omit<Notification, "next"> & {
  readonly next: readonly { readonly command: string; readonly purpose: string }[];
};

/** Reasons quote output of programs (I13). */
function mask({ masker }: RunContext, { run, text, needs, next }: Notification): Message {
  const clean = (one: string) => terminalText(masker.text(one)).replaceAll(/\s+/g, " ");
  const steps = next.map(({ command, purpose }) => ({
    command: clean(formatCommand(command)),
    purpose: clean(purpose),
  }));
  return { run, text: clean(text), needs: needs.map(clean), next: steps };
}

type Delivery = { readonly notify: Notify; readonly terminal: Terminal | null; readonly message: Message };

async function deliver(site: RunContext, { notify, terminal, message }: Delivery): Promise<void> {
  if (notify.bell) terminal?.("\u0007");
  const about = { PLAIT_NOTIFY_TEXT: message.text };
  const { command } = notify;
  const { webhook } = site.values.open(notify.webhook === null ? {} : { webhook: notify.webhook });
  await Promise.all([
    notify.desktop ? onDesktop(site, message.text, terminal) : null,
    command === null ? null : callHook(site, { moment: "notify", command, about }),
    webhook === undefined ? null : toWebhook(site, webhook, message),
  ]);
}

async function toWebhook(site: RunContext, url: string, message: Message): Promise<void> {
  const { text } = await postMessage(url, { v: 1, ...message }, site).catch(failedDelivery);
  await logHook(site, `notify webhook: ${text}`);
}

const DESKTOP_MS = 10_000;

/** Where no program shows it, the terminal may know how: OSC 9 is understood by several, and unseen in the others. */
async function onDesktop(site: RunContext, text: string, terminal: Terminal | null): Promise<void> {
  const argv = process.platform === "darwin" ? osascript(text) : notifySend(text);
  const call = { command: { kind: "argv", argv }, cwd: site.folder.path, env: programEnv(site, {}) } as const;
  const end = await runCommand(call, { ...supervision(site, "hook"), timeoutMs: DESKTOP_MS });
  if (end.kind === "ended" && end.exit.code === 0) return;
  terminal?.(`\u001b]9;${text}\u0007`);
  const why = end.kind === "ended" ? `exit code ${end.exit.code ?? end.exit.signal}` : end.failure.message;
  await logHook(site, `notify desktop: ${argv[0]}: ${why}`);
}

/** Some desktops read a message as markup. */
function notifySend(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return ["notify-send", "--app-name=plait", "--", "plait", escaped];
}

function osascript(text: string): string[] {
  const script = ["on run argv", 'display notification (item 1 of argv) with title "plait"', "end run"];
  return ["osascript", ...script.flatMap((line) => ["-e", line]), text];
}

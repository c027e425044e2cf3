import { findPageRun, openInBrowser } from "../../app/index.ts";
import { plait } from "../../core/text/command.ts";
import { formatRefusal } from "../../core/text/refusal.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, maskingHost } from "../host.ts";
import { dim } from "../render/line.ts";
import type { RunCommand } from "../request.ts";
import { servePage } from "../serve-page.ts";
import { awaitLeaving } from "../signals.ts";

/** `plait ui [run]`: serves the web UI until a signal. Stopping it is not a failure and stops no run. */
export const ui: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { options, output } = request;
  const host = await maskingHost(request, plait("ui"));
  const found = name === null ? null : granted(await findPageRun(host, name));
  if (found?.damage != null) output.warn(`${found.damage.problem}. ${found.damage.hint}`);
  const { server } = granted(await servePage(request, host, found?.run ?? null, options.port ?? 0));
  const leaving = awaitLeaving();
  try {
    output.result([[server.url]]);
    output.say([[dim("this machine only, with this link only; ^C stops the web UI, not the runs")]]);
    const opened = options.open === true ? await openInBrowser(host, server.url) : null;
    if (opened?.ok === false) output.warn(formatRefusal(opened.refusal));
    await leaving.left;
    if (opened?.ok === true) await opened.forget();
  } finally {
    // Also after an error: an open server would keep the process alive with no signal handler.
    leaving.end();
    await server.close();
  }
  return exitCodes.ok;
};

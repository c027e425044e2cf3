import type { Overview } from "../../../core/select/overview.ts";
import { elapsed } from "../../../core/select/run-words.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { dollars } from "../figures.ts";
import { bold, dim, type Line, styled } from "../line.ts";
import { cells, cutMiddle, pad, padStart } from "../width.ts";
import { banner } from "./banner.ts";
import { type Block, needYouLine, oneLine } from "./groups.ts";
import { cutLine, firstFitting, type Look, sign, spread } from "./look.ts";
import { chanceOf, type RowLook, timeOf } from "./rows.ts";
import { aboutText, bar, budgetText } from "./summary.ts";

/** Below sixty columns: name, time and cost of what runs, and one line for each other group. */
export function narrowBlock({ summary, groups, look, room }: Block): Line[] {
  const top = [headLine(summary, look), barLine(summary, look), ...banner(summary.state, look)];
  const spent = budgetText(summary.spending.usd, summary.progress.budgetUsd);
  const bottom: Line[] = [...needYouLine(groups.you, 0, look), ...(spent === null ? [] : [[spent]])];
  const counts = [...oneLine(groups.plait, look), ...oneLine(groups.clock, look)];
  const left = room - top.length - bottom.length;
  if (left < 0) return [tinyLine(summary, look)];
  const agents = groups.agents.map((row) => agentLine(row, look));
  const keptCounts = counts.slice(0, Math.max(0, left - Math.min(2, agents.length)));
  const lines = left - keptCounts.length;
  const shown = agents.length <= lines ? agents : agents.slice(0, Math.max(0, lines - 1));
  const more = agents.length - shown.length;
  const rest: Line[] = more > 0 && lines > 0 ? [[dim(`+${more} more`)]] : [];
  return [...top, ...shown, ...rest, ...keptCounts, ...bottom];
}

/** `10/24 42:18 ✗2`, and the cost where there is room. */
export function tinyLine(
  { progress: { done, total, phases }, times: { wallMs }, spending }: Overview,
  look: Look,
): Line {
  const bad = phases.failed + phases.held;
  const figures: Line = [`${done}/${total} ${elapsed(wallMs)}`];
  const told: Line =
    bad === 0 ? figures : [...figures, " ", styled("red", `${look.glyphs.states.failed}${bad}`)];
  const cost = spending.usd === null ? "" : `  ${dollars(spending.usd)}`;
  return cutLine(firstFitting([[...told, cost], told], look.width), look);
}

function headLine({ state, progress: { done, total }, times: { wallMs } }: Overview, look: Look): Line {
  const right = `${done}/${total}  ${elapsed(wallMs)}`;
  const run = cutMiddle(state.run, Math.max(4, look.width - cells(right) - 1), look.glyphs.cut);
  return spread([bold(run)], [right], look);
}

function barLine({ progress, forecast }: Overview, look: Look): Line {
  const about = forecast === null ? "" : `   ${aboutText(forecast)}`;
  return [...bar(progress, look.width - cells(about), look), dim(about)];
}

function agentLine(row: TaskRow, look: RowLook): Line {
  const { glyphs, width, frame } = look;
  const [time, cost] = [8, width < 40 ? 8 : 11];
  const number = chanceOf(row);
  const room = width - 2 - time - cost;
  const name = cutMiddle(row.task, room - cells(number), glyphs.cut) + number;
  return [
    sign(row.shown, glyphs, frame),
    row.isCritical ? bold(glyphs.critical) : " ",
    pad(name, room),
    padStart(timeOf(row, look.now), time),
    padStart(row.usage.costUsd === null ? "" : dollars(row.usage.costUsd), cost),
  ];
}

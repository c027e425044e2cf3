import type { Overview } from "../../../core/select/overview.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { dollars, elapsed } from "../../../core/text/figures.ts";
import { bold, dim, type Line, reversed, styled } from "../line.ts";
import { cells, cutMiddle, pad, padStart } from "../width.ts";
import { banner, countBannerLines } from "./banner.ts";
import { narrowFoot, squeezed } from "./foot.ts";
import { type Block, needYouLine, oneLine, withSelected } from "./groups.ts";
import { cutLine, firstFitting, type Look, sign, spread } from "./look.ts";
import { type Foot, formatAttemptSuffix, isSelected, type RowLook, timeOf } from "./rows.ts";
import { aboutText, bar, budgetText } from "./summary.ts";

/** Below sixty columns: name, time and cost of what runs, and one line for each other group. */
export function narrowBlock({ summary, groups, look, room }: Block): Line[] {
  const top = [
    headLine(summary, look),
    barLine(summary, look),
    ...banner(summary, { ...look, most: countBannerLines(room) }),
  ];
  const spent = budgetText(summary.spending.usd, summary.progress.budgetUsd, { isShort: true });
  const others = summary.needs.filter(({ task }) => task !== look.selected);
  const you = withoutSelected(groups.you, look, () => needYouLine(others, 0, look));
  const bottom = [...you, ...narrowFoot(spent, look)];
  const counts = [
    ...withoutSelected(groups.plait, look, oneLine),
    ...withoutSelected(groups.clock, look, oneLine),
    ...withoutSelected(groups.later, look, () => []),
  ];
  const left = room - top.length - bottom.length;
  if (left < 0) return tinyBlock(summary, { ...look, room });
  const keptCounts = counts.slice(0, Math.max(0, left - Math.min(2, groups.agents.length)));
  const lines = left - keptCounts.length;
  const isWhole = groups.agents.length <= lines;
  const agents = isWhole ? groups.agents : withSelected(groups.agents, lines - 1, look);
  const more = groups.agents.length - agents.length;
  const rest: Line[] = more > 0 && lines > 0 ? [[dim(`+${more} more`)]] : [];
  return [...top, ...agents.map((row) => rowLine(row, look)), ...rest, ...keptCounts, ...bottom];
}

/** A group on one line; the selected one has a line of its own. */
function withoutSelected(
  rows: readonly TaskRow[],
  look: RowLook,
  others: (rows: readonly TaskRow[], look: RowLook) => Line[],
): Line[] {
  const chosen = rows.filter((row) => isSelected(row, look)).map((row) => rowLine(row, look));
  const rest = rows.filter((row) => !isSelected(row, look));
  return [...chosen, ...others(rest, look)];
}

/** The least that tells how a run stands; a question or an answer comes before it. */
export function tinyBlock(
  summary: Overview,
  { foot, room, ...look }: Look & { readonly foot: Foot; readonly room: number },
): Line[] {
  const asked = foot.kind === "lines" ? squeezed(foot, room - 1, look) : [];
  return [tinyLine(summary, look), ...asked.map((line) => cutLine(line, look))];
}

/** `10/24 42:18 ✗2`, and the cost where there is room. */
function tinyLine(
  { progress: { done, total }, needs, times: { wallMs }, spending }: Overview,
  look: Look,
): Line {
  const bad = needs.length;
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

function barLine(summary: Overview, look: Look): Line {
  const { forecast } = summary;
  const about = forecast === null ? "" : `   ${aboutText(forecast)}`;
  return [...bar(summary, look.width - cells(about), look), dim(about)];
}

function rowLine(row: TaskRow, look: RowLook): Line {
  const { glyphs, width, frame } = look;
  const [time, cost] = [8, width < 40 ? 8 : 11];
  const number = formatAttemptSuffix(row);
  const room = width - 2 - time - cost;
  const name = cutMiddle(row.task, room - cells(number), glyphs.cut) + number;
  const isChosen = isSelected(row, look);
  const line: Line = [
    sign(row.status.kind, glyphs, frame),
    isChosen ? ">" : row.isCritical ? bold(glyphs.critical) : " ",
    pad(name, room),
    padStart(timeOf(row, look.now), time),
    padStart(row.usage.costUsd === null ? "" : dollars(row.usage.costUsd), cost),
  ];
  return isChosen ? reversed(line) : line;
}

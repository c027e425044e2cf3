import { count, shortOid, shortRef } from "../../core/text/figures.ts";
import type { IntegrationFinding } from "../../spec/integrate/finding.ts";
import { countTasks, type IntegrationReport, isBlocked } from "../../spec/integrate/report.ts";
import { buildSummary, formatPlace, type SummaryRow } from "../../spec/integrate/summary.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, type Style, styled } from "./line.ts";
import type { Room } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, pad, wrapWords } from "./width.ts";

/** The output of `plait integrate`: findings with their places, the summary, the verdict last. */
export function renderIntegration(report: IntegrationReport, room: Room): Line[] {
  const findings = ORDER.flatMap((weight) => report.findings.filter((one) => one.weight === weight));
  return [
    ...findings.flatMap((one) => [renderFinding(one, room.glyphs), renderFix(one, room.glyphs)]),
    ...(findings.length === 0 ? [] : [[]]),
    ...renderSummary(report, room),
    [],
    renderTree(report, room.glyphs),
    renderVerdict(report),
  ];
}

/** The output of a gate: its last line shows the reason. */
export function renderGate(report: IntegrationReport, { glyphs }: Pick<Room, "glyphs">): Line[] {
  const findings = ORDER.toReversed().flatMap((weight) =>
    report.findings.filter((one) => one.weight === weight),
  );
  const lines = findings.map(
    (one): Line => [
      ...renderFinding(one, glyphs),
      ...(one.weight === "must" ? [`; fix: ${shown(one.fix, glyphs)}`] : []),
    ],
  );
  return isBlocked(report) ? lines : [...lines, [...renderVerdict(report), formatMerged(report)]];
}

/** Before all tasks are merged, only the merged ones are green. */
function formatMerged(report: IntegrationReport): string {
  const { done, all } = countTasks(report);
  return done === all ? "" : `; ${done} of ${count(all, "task")} in this tree`;
}

/** The checked tree: before a run has landed, it differs from the user's branch. */
function renderTree({ judged: { kind, ref, commit, run } }: IntegrationReport, glyphs: Glyphs): Line {
  const at = commit === null ? "" : ` at ${shortOid(commit)}`;
  const by = run === null ? "" : `, run ${run}`;
  const yet = kind === "integration" ? ", not landed" : "";
  return [dim(shown(`checked: ${ref === null ? "HEAD" : shortRef(ref)}${at}${by}${yet}`, glyphs))];
}

const ORDER = ["must", "should", "unclear"] as const satisfies readonly IntegrationFinding["weight"][];

const WEIGHTS: { readonly [W in IntegrationFinding["weight"]]: readonly [Style, string] } = {
  must: ["red", "must fix"],
  should: ["yellow", "should fix"],
  unclear: ["cyan", "unclear"],
};

/** One line, so that editors and tools find its place. */
function renderFinding(finding: IntegrationFinding, glyphs: Glyphs): Line {
  const [style, word] = WEIGHTS[finding.weight];
  const place = formatPlace(finding);
  return [
    ...(place === null ? [] : [bold(`${shown(place, glyphs)}:`), " "]),
    styled(style, `${word}[${finding.code}]`),
    `: ${shown(finding.about, glyphs)}: `,
    bold(shown(finding.message, glyphs)),
  ];
}

function renderFix(finding: IntegrationFinding, glyphs: Glyphs): Line {
  const { task, commit, about, fix } = finding;
  const who = [
    ...(task === null || task === about ? [] : [task]),
    ...(commit === null ? [] : [shortOid(commit)]),
  ];
  return [
    dim(`  fix${who.length === 0 ? "" : ` (${shown(who.join(", "), glyphs)})`}: ${shown(fix, glyphs)}`),
  ];
}

const STATES: { readonly [S in SummaryRow["status"]]: readonly [Style, keyof Glyphs["states"]] } = {
  passed: ["green", "merged"],
  warning: ["yellow", "held"],
  failed: ["red", "failed"],
  unknown: ["dim", "skipped"],
};

function renderSummary(report: IntegrationReport, { width, glyphs }: Room): Line[] {
  const rows = buildSummary(report);
  const names = Math.max(...rows.map(({ name }) => cells(name))) + 2;
  const room = Math.max(20, width - names - 2);
  return rows.flatMap(({ name, status, details }): Line[] => {
    const [style, state] = STATES[status];
    const [first = "", ...rest] = wrapWords(shown(details, glyphs), room);
    return [
      [styled(style, glyphs.states[state]), " ", pad(name, names), status === "unknown" ? dim(first) : first],
      ...rest.map((text): Line => [" ".repeat(names + 2), text]),
    ];
  });
}

function renderVerdict(report: IntegrationReport): Line {
  const n = (weight: IntegrationFinding["weight"]) =>
    report.findings.filter((one) => one.weight === weight).length;
  const must = n("must");
  const more = [
    ...(n("should") > 0 ? [`${n("should")} should be fixed`] : []),
    ...(n("unclear") > 0 ? [`${n("unclear")} unclear`] : []),
  ];
  const rest = more.length === 0 ? "" : `; ${more.join(", ")}`;
  const { unknown, allowUnknown } = report;
  const reason = unknown.length === 0 ? "" : `: ${unknown.join(", ")}`;
  if (isBlocked(report)) {
    const besides = unknown.length === 0 ? "" : `; mostly unclear${reason}`;
    return [styled("red", `${count(must, "finding")} must be fixed`), besides, rest];
  }
  if (reason === "") return [styled("green", "the parts fit"), rest];
  return allowUnknown
    ? [styled("green", "the parts fit as far as checked"), reason, rest]
    : [styled("yellow", "unclear whether the parts fit"), reason, rest];
}

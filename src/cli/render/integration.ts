import { count } from "../../core/select/preview/words.ts";
import { shortOid, shortRef } from "../../core/select/run-words.ts";
import type { IntegrationFinding } from "../../spec/integrate/finding.ts";
import { countTasks, type IntegrationReport, isBlocked } from "../../spec/integrate/report.ts";
import { placeText, type SummaryRow, summaryRows } from "../../spec/integrate/summary.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, type Style, styled } from "./line.ts";
import type { Room } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, pad, wrapWords } from "./width.ts";

/** What `plait integrate` says: every finding with its place, then the summary, the verdict last. */
export function integrationLines(report: IntegrationReport, room: Room): Line[] {
  const findings = ORDER.flatMap((weight) => report.findings.filter((one) => one.weight === weight));
  return [
    ...findings.flatMap((one) => [findingLine(one, room.glyphs), fixLine(one, room.glyphs)]),
    ...(findings.length === 0 ? [] : [[]]),
    ...summaryTable(report, room),
    [],
    judgedLine(report, room.glyphs),
    verdictLine(report),
  ];
}

/** What a gate prints: who reads its last line sees what it is about. */
export function gateLines(report: IntegrationReport, { glyphs }: Pick<Room, "glyphs">): Line[] {
  const findings = ORDER.toReversed().flatMap((weight) =>
    report.findings.filter((one) => one.weight === weight),
  );
  const lines = findings.map(
    (one): Line => [
      ...findingLine(one, glyphs),
      ...(one.weight === "must" ? [`; fix: ${shown(one.fix, glyphs)}`] : []),
    ],
  );
  return isBlocked(report) ? lines : [...lines, [...verdictLine(report), hereText(report)]];
}

/** Green before all tasks are there is said only of those that are. */
function hereText(report: IntegrationReport): string {
  const { done, all } = countTasks(report);
  return done === all ? "" : `; of ${count(all, "task")}, ${done} in this tree`;
}

/** Which files it is about: before a run has landed those of the user's branch are others. */
function judgedLine({ judged: { kind, ref, commit, run } }: IntegrationReport, glyphs: Glyphs): Line {
  const at = commit === null ? "" : ` at ${shortOid(commit)}`;
  const by = run === null ? "" : `, run ${run}`;
  const yet = kind === "integration" ? ", not landed" : "";
  return [dim(shown(`judged: ${ref === null ? "HEAD" : shortRef(ref)}${at}${by}${yet}`, glyphs))];
}

const ORDER = ["must", "should", "cannot-tell"] as const satisfies readonly IntegrationFinding["weight"][];

const WEIGHTS: { readonly [W in IntegrationFinding["weight"]]: readonly [Style, string] } = {
  must: ["red", "must fix"],
  should: ["yellow", "should fix"],
  "cannot-tell": ["cyan", "cannot tell"],
};

/** One line, however long: editors jump to its start, and tools search it. */
function findingLine(finding: IntegrationFinding, glyphs: Glyphs): Line {
  const [style, word] = WEIGHTS[finding.weight];
  const place = placeText(finding);
  return [
    ...(place === null ? [] : [bold(`${shown(place, glyphs)}:`), " "]),
    styled(style, `${word}[${finding.code}]`),
    `: ${shown(finding.about, glyphs)}: `,
    bold(shown(finding.message, glyphs)),
  ];
}

/** What to do, and who: the task is not said twice. */
function fixLine(finding: IntegrationFinding, glyphs: Glyphs): Line {
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

function summaryTable(report: IntegrationReport, { width, glyphs }: Room): Line[] {
  const rows = summaryRows(report);
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

function verdictLine(report: IntegrationReport): Line {
  const n = (weight: IntegrationFinding["weight"]) =>
    report.findings.filter((one) => one.weight === weight).length;
  const must = n("must");
  const more = [
    ...(n("should") > 0 ? [`${n("should")} should be fixed`] : []),
    ...(n("cannot-tell") > 0 ? [`${n("cannot-tell")} cannot be told`] : []),
  ];
  const rest = more.length === 0 ? "" : `; ${more.join(", ")}`;
  const { unknown, allowUnknown } = report;
  const why = unknown.length === 0 ? "" : `: ${unknown.join(", ")}`;
  if (isBlocked(report)) {
    const besides = unknown.length === 0 ? "" : `; much is unclear${why}`;
    return [styled("red", `${count(must, "thing")} must be fixed`), besides, rest];
  }
  if (why === "") return [styled("green", "the parts fit"), rest];
  return allowUnknown
    ? [styled("green", "the parts fit as far as checked"), why, rest]
    : [styled("yellow", "unclear whether the parts fit"), why, rest];
}

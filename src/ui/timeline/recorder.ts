import type { Fact } from "../../core/facts.ts";
import {
  NOT_STARTED,
  type RecordedRun,
  recordFact,
  type TimelineRecord,
} from "../../core/select/timeline/record.ts";

const KEEP_EVERY = 64;

/**
 * Gives the record of the first `upTo` facts. Facts only ever come behind those that are known, so a few records along the
 * way are kept, and any other is a short fold away: live, and when somebody drags the run back and forth.
 */
export function createRecorder(): (facts: readonly Fact[], upTo: number) => TimelineRecord {
  const kept: RecordedRun[] = [NOT_STARTED];
  let last = { count: 0, run: NOT_STARTED };
  return (facts, upTo) => {
    const wanted = Math.min(upTo, facts.length);
    const index = Math.min(kept.length - 1, Math.floor(wanted / KEEP_EVERY));
    let [count, run] = [index * KEEP_EVERY, kept[index] as RecordedRun];
    if (last.count <= wanted && last.count > count) ({ count, run } = last);
    for (; count < wanted; count += 1) {
      if (count === kept.length * KEEP_EVERY) kept.push(run);
      run = recordFact(run, facts[count] as Fact);
    }
    last = { count, run };
    return run.record;
  };
}

import type { AttemptFailure } from "../../core/failure.ts";
import { terminalText } from "../../util/terminal-text.ts";
import {
  type Adapter,
  type Ending,
  type Invoked,
  type InvokeInput,
  NO_USAGE,
  type Reading,
} from "../adapter.ts";
import { FINAL_EXIT_CODES } from "../final-exits.ts";
import { type JsonObject, parseObject, textAt } from "../json.ts";
import { readingOf, type Step } from "../reading.ts";
import { addLine, cutStart, exitText, lastLine, withReason } from "../text.ts";
import { claude } from "./adapter.ts";

/**
 * A program that the user says is Claude: another release, a wrapper, a stand-in. It is started as Claude is. Nothing is asked of
 * it before, because nobody knows what it does when it is asked. If it speaks as Claude does, it is understood as Claude is; one
 * that prints plain text has said what it printed, and its exit code and stderr tell how it went.
 */
export function claudeStandIn(program: string): Adapter {
  return {
    ...claude,
    probe: null,
    subAgents: null,
    login: null,
    invoke: (input) => invoke(program, input),
    reader: (worktree) =>
      readingOf<Memory>(
        { claude: claude.reader(worktree), plain: "" },
        {
          step,
          conclude: ({ claude: reading, plain }, ending) => {
            if (plain === null) return reading.conclude(ending);
            const text = cutStart(plain, MAX_TEXT).trimEnd();
            return { failure: findFailure(ending), usage: NO_USAGE, conversation: null, text, denials: [] };
          },
        },
      ),
    resumeCommand: (conversation) => [program, "--resume", conversation],
  };
}

/** Whether it works for root is its own affair; asked to allow it, plait tells it as it tells Claude. */
function invoke(program: string, input: InvokeInput): Invoked {
  const invoked = claude.invoke({ ...input, isRoot: input.isRoot && input.allowRoot });
  if (!invoked.ok) return invoked;
  const [, ...args] = invoked.invocation.argv;
  return { ...invoked, invocation: { ...invoked.invocation, argv: [program, ...args] } };
}

/** `plain` is null from the first event on: then it speaks as Claude does. */
type Memory = { readonly claude: Reading; readonly plain: string | null };

const MAX_TEXT = 65_536;

function step({ claude: before, plain }: Memory, line: string): Step<Memory> {
  const { next, events } = before.read(line);
  const said =
    plain === null || isEvent(parseObject(line)) ? null : addLine(plain, terminalText(line), MAX_TEXT);
  return { memory: { claude: next, plain: said }, events };
}

/** What agents say of their work at the end is an object too, and may have a type: what only Claude says makes it an event. */
function isEvent(object: JsonObject | null): boolean {
  if (textAt(object, "type") === null) return false;
  return OF_CLAUDE.some((key) => object !== null && Object.hasOwn(object, key));
}

const OF_CLAUDE = ["session_id", "subtype", "message", "event", "rate_limit_info"];

const FOR_GOOD =
  /\bpermission[\s_-]?denied\b|authentication[\s_-]?(?:failed|error)|invalid[\s_-]?api[\s_-]?key|credit[\s_-]?balance[\s_-]?(?:too[\s_-]?low|exceeded)/i;
const RATE_LIMITED = /rate[\s_-]?limit|quota[\s_-]?(?:exceeded|exhausted)/i;

function findFailure(ending: Ending): AttemptFailure | null {
  const { code, stderr } = ending;
  if (code === 0) return null;
  const detail = withReason(exitText(ending), lastLine(stderr, 300));
  if (FINAL_EXIT_CODES.includes(code) || FOR_GOOD.test(stderr)) return { reason: "rejected", detail };
  if (RATE_LIMITED.test(stderr)) return { reason: "rate-limit", retryAfterMs: null, detail };
  return { reason: "crash", detail };
}

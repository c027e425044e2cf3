import type { RunAction } from "../../core/decide.ts";
import type { RefName } from "../../core/ids.ts";
import type { LandStyle, Publish } from "../../core/plan.ts";
import { isProposed } from "../../core/select/landing-words.ts";
import { shortRef } from "../../core/text/figures.ts";
import { useMoment } from "../context.ts";

export type LandAction = Extract<RunAction, { kind: "land" }>;

type LandFormProps = { readonly action: LandAction; readonly onChange: (action: LandAction) => void };

const STYLES: readonly Choice<LandStyle["as"]>[] = [
  ["rebase", "One commit per task"],
  ["merge", "Merge commit"],
  ["squash", "One commit"],
];

const PUBLISHING: readonly Choice<Publish>[] = [
  ["no", "Land only"],
  ["push", "Land and push"],
  ["pull-request", "Open a pull request"],
  ["pull-request-per-task", "Open one pull request per task"],
];

/** How the run lands: as it was started, unless it is changed here. */
export function LandForm({ action, onChange }: LandFormProps) {
  const { state } = useMoment();
  const { publish, landStyle } = state.policy;
  const target = shortRef(action.target ?? state.target ?? "");
  const isLanded = state.landing.kind === "landed";
  const put = (change: Partial<LandAction>) => onChange({ ...action, ...change });
  return (
    <div class="confirm-fields">
      {!isLanded && (
        <>
          <Select
            name="Commits"
            choices={STYLES}
            value={action.as ?? landStyle.as}
            onPick={(as) => put({ as })}
          />
          <TextField
            name="Branch"
            value={target}
            onType={(name) => put({ target: `refs/heads/${name.trim()}` as RefName })}
          />
        </>
      )}
      <Select
        name="Publish"
        choices={PUBLISHING}
        value={action.publish ?? publish}
        onPick={(one) => put({ publish: one })}
      />
      {isProposed(action.publish ?? publish) && (
        <PullRequestFields action={action} style={landStyle} onChange={onChange} />
      )}
    </div>
  );
}

type PullRequestFieldsProps = LandFormProps & { readonly style: LandStyle };

function PullRequestFields({ action, style, onChange }: PullRequestFieldsProps) {
  const { draft: _, ...rest } = action;
  return (
    <>
      <TextField
        name="Reviewers"
        value={(action.reviewers ?? style.reviewers ?? []).join(", ")}
        onType={(text) => onChange({ ...action, reviewers: splitNames(text) })}
      />
      <TextField
        name="Labels"
        value={(action.labels ?? style.labels ?? []).join(", ")}
        onType={(text) => onChange({ ...action, labels: splitNames(text) })}
      />
      <label class="confirm-field">
        <span>Draft</span>
        <input
          type="checkbox"
          checked={action.draft ?? style.draft ?? false}
          disabled={style.draft === true}
          onChange={(event) => onChange(event.currentTarget.checked ? { ...rest, draft: true } : rest)}
        />
      </label>
    </>
  );
}

const splitNames = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

type Choice<T> = readonly [value: T, name: string];

type SelectProps<T> = {
  readonly name: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onPick: (value: T) => void;
};

function Select<T extends string>({ name, choices, value, onPick }: SelectProps<T>) {
  return (
    <label class="confirm-field">
      <span>{name}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value as T)}>
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type TextFieldProps = {
  readonly name: string;
  readonly value: string;
  readonly onType: (text: string) => void;
};

/** Takes what was typed when it is left: a list that is written back while it is typed loses its commas. */
function TextField({ name, value, onType }: TextFieldProps) {
  return (
    <label class="confirm-field">
      <span>{name}</span>
      <input type="text" value={value} onChange={(event) => onType(event.currentTarget.value)} />
    </label>
  );
}

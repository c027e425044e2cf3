import type { ComponentChildren } from "preact";
import type { Ball, ShownState } from "../../core/select/task-rows.ts";
import { StateIcon } from "../parts/icon.tsx";
import { Words } from "../parts/words.tsx";

type NoticeProps = {
  readonly ball: Ball;
  readonly shown: ShownState;
  readonly text: string;
  /** The one thing to do about it. */
  readonly children?: ComponentChildren;
};

/** One line under the figures: who, why, until when, and one action. */
export function Notice({ ball, shown, text, children }: NoticeProps) {
  return (
    <div class={`notice ball-${ball}`}>
      <StateIcon shown={shown} />
      <p class="notice-text">
        <Words text={text} />
      </p>
      {children}
    </div>
  );
}

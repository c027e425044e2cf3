import type { ComponentChildren } from "preact";
import type { NextActor, StatusKind } from "../../core/select/task-status.ts";
import type { Sentence } from "../../core/text/sentence.ts";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";

type BannerProps = {
  readonly actor: NextActor;
  readonly shown: StatusKind;
  readonly text: Sentence;
  /** The one thing to do about it. */
  readonly children?: ComponentChildren;
};

/** One line below the summary: who, why, until when, and one action. */
export function Banner({ actor, shown, text, children }: BannerProps) {
  return (
    <div class={`notice ruled row actor-${actor}`}>
      <StateIcon shown={shown} />
      <p class="notice-text wrap">
        <SentenceText text={text} />
      </p>
      {children}
    </div>
  );
}

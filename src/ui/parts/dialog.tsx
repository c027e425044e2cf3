import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Keys, useKeys } from "../keys.ts";

type DialogProps = {
  /** What a reader calls it. */
  readonly name: string;
  readonly class: string;
  readonly onClose: () => void;
  readonly keys?: Keys;
  readonly children: ComponentChildren;
};

/** Above everything: the browser keeps the focus inside; Esc closes it, and the focus goes back to where it was. */
export function Dialog({ name, class: look, onClose, keys = {}, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useKeys({ ...keys, Escape: onClose }, { isModal: true });
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    // It goes without being closed, so the browser does not do this itself.
    return () => queueMicrotask(() => before instanceof HTMLElement && before.focus());
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same; the click is one beside the dialogue.
    <dialog
      ref={ref}
      class={`dialog ${look}`}
      aria-label={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="dialog-inside">{children}</div>
    </dialog>
  );
}

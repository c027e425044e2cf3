import { writeSync } from "node:fs";
import { guardTerminal, isInForeground, type TerminalGuard } from "../../app/index.ts";
import { wholeEnvironment } from "../../config/env.ts";
import { isStuck } from "../streams.ts";

/**
 * The keyboard of whoever sits before a run, a key at a time: the terminal is told to hand on what is typed as it is typed. All
 * that it would have done itself is done here: ^C, ^Z and ^\ are the signals that they always were.
 *
 * K1 However this process ends, the terminal is as it was found. K2 A job in the background does not touch it.
 */
export type Keyboard = {
  readonly listen: (listener: (text: string) => void) => () => void;
  /** Which screen is in use: whoever cleans up must know. */
  readonly screen: (screen: "main" | "alternate") => void;
  /** Who draws takes its picture away before this process is stopped (^Z), and draws it again when it goes on. */
  readonly drawnBy: (artist: Artist) => void;
  readonly close: () => void;
};

export type Artist = { readonly rest: (rested: () => void) => void; readonly goOn: () => void };

/** What a terminal makes of these keys. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  "\u0003": "SIGINT",
  "\u001a": "SIGTSTP",
  "\u001c": "SIGQUIT",
};

/** How long a terminal may take for the last text before this process stops. */
const REST_MS = 300;
/** How long what is written last may take. */
const LAST_TEXT_MS = 1_000;
/** How long after `bg` or `fg` it is noticed. */
const LOOK_MS = 1_000;

/** Null where nobody can type: a pipe, a file, a job in the background. */
export async function openKeyboard(): Promise<Keyboard | null> {
  const { stdin } = process;
  if (stdin.isTTY !== true || process.stderr.isTTY !== true || !(await isInForeground())) return null;
  return new RawKeyboard();
}

class RawKeyboard implements Keyboard {
  readonly #listeners = new Set<(text: string) => void>();
  readonly #guard: TerminalGuard | null = guardTerminal(process.stderr.fd, wholeEnvironment());
  #screen: "main" | "alternate" = "main";
  #artist: Artist | null = null;
  #isOpen = true;
  #isResting = false;

  constructor() {
    const { stdin } = process;
    stdin.setEncoding("utf8").on("data", this.#hear).on("error", ignore);
    this.#raw(true);
    process.on("SIGTSTP", this.#rest).on("SIGCONT", this.#wake);
    process.on("exit", this.#tidy).on("uncaughtExceptionMonitor", this.#tidy);
  }

  listen(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  screen(screen: "main" | "alternate"): void {
    if (screen === this.#screen) return;
    this.#screen = screen;
    this.#guard?.show(screen);
  }

  drawnBy(artist: Artist): void {
    this.#artist = artist;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#listeners.clear();
    process.off("SIGTSTP", this.#rest).off("SIGCONT", this.#wake);
    this.#guard?.close();
    this.#giveBack(Date.now() + LAST_TEXT_MS);
  }

  /**
   * The settings of a terminal are changed behind what was written to it, and whoever changes them waits for that. So it is done when
   * all is written; one that takes no text is left to the end of this process, which does not wait. Until then ^C is heard.
   */
  #giveBack(until: number): void {
    if (isStuck() && Date.now() < until)
      return void setTimeout(() => this.#giveBack(until), LAST_TEXT_MS / 50);
    const { stdin } = process;
    stdin.off("data", this.#hear);
    if (isStuck()) stdin.pause();
    else this.#raw(false);
    process.off("exit", this.#tidy).off("uncaughtExceptionMonitor", this.#tidy);
  }

  readonly #hear = (chunk: string | Buffer): void => {
    let typed = "";
    for (const char of String(chunk)) {
      const signal = SIGNALS[char];
      if (signal === undefined) typed += char;
      else this.#raise(signal);
    }
    if (typed !== "") for (const listener of this.#listeners) listener(typed);
  };

  /** The same as if the terminal had sent it: to all that run in front of it, this process among them. */
  #raise(signal: NodeJS.Signals): void {
    if (signal === "SIGQUIT") this.#tidy(); // nobody comes back from that one
    process.kill(0, signal);
  }

  #raw(isRaw: boolean): void {
    const { stdin } = process;
    try {
      stdin.setRawMode(isRaw);
    } catch {
      return; // the terminal is gone, and with it what was typed there
    }
    if (isRaw) stdin.resume();
    else stdin.pause();
  }

  /** The picture goes, the terminal is as it was, and then this process stops as if nobody had been asked. */
  readonly #rest = (): void => {
    if (this.#isResting) return;
    this.#isResting = true;
    const stop = once(() => {
      this.#raw(false);
      process.off("SIGTSTP", this.#rest);
      // Without a shell that could wake it the system does not stop it: then it goes on at once.
      process.kill(process.pid, "SIGTSTP");
      setTimeout(this.#wake, LOOK_MS / 10);
    });
    setTimeout(stop, REST_MS).unref();
    if (this.#artist === null) stop();
    else this.#artist.rest(stop);
  };

  readonly #wake = (): void => {
    if (!this.#isResting || !this.#isOpen) return;
    void isInForeground().then((isFront) => {
      if (!this.#isResting || !this.#isOpen) return;
      if (!isFront) return void setTimeout(this.#wake, LOOK_MS).unref();
      this.#isResting = false;
      process.off("SIGTSTP", this.#rest).on("SIGTSTP", this.#rest);
      this.#raw(true);
      this.#artist?.goOn();
    });
  };

  /** Nobody has closed it: a mistake of ours, or somebody who ends the process at once. */
  readonly #tidy = (): void => {
    const leave = this.#screen === "alternate" ? "\u001b[?1049l" : "";
    this.#screen = "main";
    try {
      if (this.#isOpen) writeSync(process.stderr.fd, `${leave}\u001b[?2026l\u001b[?25h`);
      process.stdin.setRawMode(false);
    } catch {
      // Nobody is there to see it.
    }
    this.#guard?.close();
  };
}

const ignore = (): void => undefined;

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

// Small programs that behave badly, as lines for sh. Each prints a line when it is ready, so that nobody needs to sleep.

// They stay a minute, in short naps because sh hears of a signal only between two programs. What ignores all signals sleeps.
const forever = "n=0; while [ $n -lt 1200 ]; do n=$((n + 1)); sleep 0.05; done";
const asleep = "exec sleep 60";

export const obeys = `echo ready; ${forever}`;
/** No line, only a word on stderr when it is ready. By exec: dash loses an INT that comes while it forks. */
export const silent = "echo ready >&2; exec sleep 60";
/** Says what it gets, and goes on. */
export const notesSignals = `trap 'echo INT' INT; trap 'echo TERM' TERM; echo ready; ${forever}`;
export const ignoresSignals = `trap '' INT TERM HUP; echo ready; ${asleep}`;
/** Says goodbye when it is interrupted, as agents write their result. */
export const endsOnInt = `trap 'echo bye; exit 7' INT; echo ready; ${forever}`;
export const endsOnTerm = `trap '' INT; trap 'echo bye; exit 8' TERM; echo ready; ${forever}`;

/** Programs that those below start; in the environment, because quotes in quotes in quotes cannot be read. */
export const programs = {
  /** Prints its pid, ignores what can be ignored, and stays. */
  STUBBORN: `trap '' INT TERM HUP; echo $$; ${asleep}`,
  /** Prints its pid, and that it was asked to end. */
  NOTING: `trap 'echo TERM' TERM; echo $$; ${forever}`,
  /** Ends when it is interrupted, and says so. */
  INTERRUPTED: `trap 'echo program; exit' INT; echo ready; ${forever}`,
  /** As the first, with closed files: a pipe does not give it away. */
  SILENT: `trap '' INT TERM HUP; echo $$; exec </dev/null >/dev/null 2>&1; ${asleep}`,
};

/** Stays until there is a file `go` in its folder. */
export const waitsForGo = "while [ ! -e go ]; do sleep 0.01; done";

/** Each way in which a child hides from its parents. It prints its pid. */
export const escapes: { readonly [how: string]: string } = {
  "in the background": 'sh -c "$STUBBORN" &',
  "in a session of its own": 'setsid sh -c "$STUBBORN" &',
  "as a daemon, forked twice": `(setsid sh -c 'sh -c "$STUBBORN" &' &)`,
  "as a daemon with closed files": '(setsid sh -c "$SILENT" &)',
  "as a daemon with an empty environment": '(env -i PATH="$PATH" setsid sh -c "$STUBBORN" &)',
};

/** Only its folder is left to find it by. */
export const staysInFolder = '(env -i PATH="$PATH" setsid sh -c "$SILENT" &)';
/** Nothing is left: no environment, group, session, parent, file or folder. */
export const vanishes = '(cd /; env -i PATH="$PATH" setsid sh -c "$SILENT" &)';
/** The same while its parent lives. */
export const hidesBelowParent = '(cd /; env -i PATH="$PATH" setsid sh -c "$SILENT") &';
/** Only its group is left. */
export const staysInGroup = '(cd /; env -i PATH="$PATH" sh -c "$SILENT") &';

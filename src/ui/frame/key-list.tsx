import { Dialog } from "../parts/dialog.tsx";
import "./dialog.css";

const KEYS = {
  Anywhere: {
    "1 2 3 4": "Graph, Timeline, Queue, Costs",
    "g r": "all runs",
    "/": "find task or run",
    T: "theme",
    esc: "close, back",
    "?": "keys",
  },
  Tasks: {
    "← ↑ → ↓  j k": "move",
    enter: "open",
    "l t d c m": "log, transcript, diff, gates, prompt",
    "[ ]": "previous, next attempt",
    "n p  { }": "next, previous file or hunk",
    f: "follow the log",
    "+ - 0": "zoom",
  },
  Replay: { space: "play, pause", ", .": "previous, next event", End: "go to now" },
  Actions: {
    r: "retry…",
    a: "approve or submit…",
    P: "pause, unpause…",
    s: "stop…",
    L: "land…",
  },
  Runs: { x: "mark for comparison" },
};

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog name="Keys" class="key-list" onClose={onClose} keys={{ "?": onClose }}>
      <h2 class="confirm-question">Keys</h2>
      <div class="key-list-groups">
        {Object.entries(KEYS).map(([name, keys]) => (
          <section key={name}>
            <h3 class="key-list-name faint">{name}</h3>
            <dl class="key-list-keys">
              {Object.entries(keys).map(([key, does]) => (
                <div key={key} class="key-list-row">
                  <dt>
                    {key.split(" ").map((one, n) =>
                      one === "" ? (
                        " "
                      ) : (
                        <kbd key={`${one}${n}`} class="key">
                          {one}
                        </kbd>
                      ),
                    )}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div class="confirm-buttons">
        <button type="button" class="button" onClick={onClose}>
          Close <kbd class="key">esc</kbd>
        </button>
      </div>
    </Dialog>
  );
}

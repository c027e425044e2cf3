// The page with a source that the test speaks for: bundled by live-page.ts and run in the browser.
import "../../../src/ui/style/tokens.css";
import "../../../src/ui/style/base.css";
import { h, render } from "preact";
import { App } from "../../../src/ui/app.tsx";
import { applyTheme } from "../../../src/ui/frame/theme.ts";

let listener = null;
const acted = [];
let answer = { ok: true };
let follows = 0;

window.scripted = {
  acted,
  follows: () => follows,
  tell: (events) => {
    for (const event of events) listener.event(event);
  },
  connection: (connection) => listener.connection(connection),
  answers: (next) => {
    answer = next;
  },
};

const source = {
  session: async () => window.told.session,
  runs: async () => ({ runs: window.told.runs, damaged: [] }),
  follow: (_run, since, heard) => {
    follows += 1;
    listener = heard;
    heard.connection({ kind: "open" });
    window.scripted.tell(window.told.events.slice(since));
  },
  act: async (_run, action) => {
    acted.push(action);
    return answer;
  },
};

applyTheme();
render(h(App, { source }), document.getElementById("page"));

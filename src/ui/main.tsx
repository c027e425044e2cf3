import "./style/tokens.css";
import "./style/base.css"; // before the views, which say what is different there
import { render } from "preact";
import { INLINED_ID } from "../report/page/wire.ts";
import { App } from "./app.tsx";
import { applyTheme } from "./frame/theme.ts";
import { httpSource } from "./source/http-source.ts";
import { inlinedSource } from "./source/inlined-source.ts";

// In a report the data is in the file; else a server has it, and the page was opened with a token for it.
const inlined = document.getElementById(INLINED_ID)?.textContent ?? null;
applyTheme();
const root = document.getElementById("page");
if (root !== null) render(<App source={inlined === null ? httpSource() : inlinedSource(inlined)} />, root);

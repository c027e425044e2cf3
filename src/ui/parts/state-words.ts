export { ballOf, stateWord } from "../../core/select/state-words.ts";

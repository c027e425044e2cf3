import type { RunAction } from "../../core/run-action.ts";
import { actionWords } from "../../core/select/action-words.ts";
import { offered } from "../../core/select/offers.ts";
import { runBanner } from "../../core/select/run-banner.ts";
import { useAsk, useMoment } from "../context.ts";
import { Icon, type Sign } from "../parts/icon.tsx";
import { useOffers } from "../use-offers.ts";

/** What can be asked of the whole run; hidden where nothing can be asked. */
export function RunButtons() {
  return useMoment().isDriven ? <PauseAndStop /> : <GoOn />;
}

function PauseAndStop() {
  const ask = useAsk();
  const actions = useOffers(null);
  const pause = offered(actions, "pause") ?? offered(actions, "unpause");
  const stops = actions.filter((action) => action.kind === "stop");
  const stop = stops.find(({ mode }) => mode === "stop") ?? stops[0];
  return (
    <>
      {pause !== null && (
        <BarButton
          look="bar-pause"
          sign={pause.kind === "pause" ? "pause" : "play"}
          name={pause.kind === "pause" ? "Pause…" : "Unpause…"}
          onPress={() => ask(pause)}
        />
      )}
      {stop !== undefined && (
        <BarButton
          look="bar-stop"
          sign="stop"
          name={stop.mode === "kill" ? "Kill…" : "Stop…"}
          onPress={() => ask(stop)}
        />
      )}
    </>
  );
}

const SIGNS: { readonly [K in RunAction["kind"]]?: Sign } = { resume: "play", land: "landed", undo: "close" };
const PLACES = ["bar-stop", "bar-pause"] as const;

/** Where nobody drives it: all that could be done, but what the line below the figures offers already. */
function GoOn() {
  const ask = useAsk();
  const { state, now, isDriven, rows } = useMoment();
  const said = runBanner(state, { now, isDriven, rows })?.action?.kind;
  const others = useOffers(null).filter(({ kind }) => kind !== said);
  return (
    <>
      {others.slice(0, PLACES.length).map((action, n) => (
        <BarButton
          key={action.kind}
          look={PLACES[n] ?? ""}
          sign={SIGNS[action.kind] ?? "next"}
          name={`${actionWords(state, action, { isDriven }).verb}…`}
          onPress={() => ask(action)}
        />
      ))}
    </>
  );
}

type BarButtonProps = {
  readonly look: string;
  readonly sign: Sign;
  readonly name: string;
  readonly onPress: () => void;
};

/** Where it is narrow its name is only heard. */
function BarButton({ look, sign, name, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      class={`button bar-button ${look}`}
      aria-label={name}
      title={name}
      onClick={onPress}
    >
      <Icon sign={sign} size={11} />
      <span>{name}</span>
    </button>
  );
}

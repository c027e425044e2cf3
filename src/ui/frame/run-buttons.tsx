import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { offered } from "../../core/select/offers.ts";
import { useAsk, useMoment } from "../context.ts";
import { Icon, type Sign } from "../parts/icon.tsx";
import { useOffers } from "../use-offers.ts";
import { useBanners } from "./run-banners.tsx";

/** Actions on the whole run; hidden where there are none. */
export function RunButtons() {
  return useMoment().isRunning ? <PauseAndStop /> : <EndButtons />;
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

/** Where the run is not running: every action that the banner does not offer. */
function EndButtons() {
  const ask = useAsk();
  const { state, isRunning } = useMoment();
  const inBanner = useBanners()[0]?.action?.kind;
  const others = useOffers(null).filter(({ kind }) => kind !== inBanner);
  return (
    <>
      {others.slice(0, PLACES.length).map((action, n) => (
        <BarButton
          key={action.kind}
          look={PLACES[n] ?? ""}
          sign={SIGNS[action.kind] ?? "next"}
          name={`${formatAction(state, action, { isRunning }).verb}…`}
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

/** On a narrow page only screen readers have its name. */
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

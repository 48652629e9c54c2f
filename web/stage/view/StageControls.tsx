import type { MouseEvent } from 'react';
import { durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { SPEEDS } from '../playback/player.ts';
import { usePlayer, useStageView } from '../playback/use-stage.ts';

/** If the stage is paused and farther behind than this, the delay is shown. */
const BEHIND_MS = 2500;

type StageControlsProps = {
  /** Null if the show cannot be started now. */
  onPlayShow: (() => void) | null;
  isFull: boolean;
  onFull: () => void;
  hasCaptions: boolean;
  onCaptions: () => void;
};

/** The controls for playing, steps, speed, captions and full screen. */
export function StageControls({ onPlayShow, isFull, onFull, hasCaptions, onCaptions }: StageControlsProps) {
  const player = usePlayer();
  const { isPlaying, picture, hasNext, speed, score } = useStageView();
  const words = useWords().stage.controls;
  const hasBeats = score.beats.length > 0;
  return (
    <div className="stage-controls" role="toolbar" aria-label={words.label} onMouseDown={keepFocus}>
      {onPlayShow && (
        <button type="button" className="button is-primary" onClick={onPlayShow}>
          <span aria-hidden="true">▶</span> {words.playShow}
        </button>
      )}
      <IconButton
        sign={isPlaying ? '❚❚' : '▶'}
        name={isPlaying ? words.pause : words.play}
        isOff={!hasBeats}
        onClick={() => player.toggle()}
      />
      <IconButton sign="◀" name={words.back} isOff={picture.beat === null} onClick={() => player.step(-1)} />
      <IconButton sign="▶▏" name={words.on} isOff={!hasNext} onClick={() => player.step(1)} />
      <IconButton sign="⟲" name={words.restart} isOff={!hasBeats} onClick={() => player.restart()} />
      <label className="stage-speed">
        <span className="only-heard">{words.speed}</span>
        <select
          value={String(speed)}
          onChange={(event) => {
            const chosen = SPEEDS.find((one) => String(one) === event.target.value);
            if (chosen) player.setSpeed(chosen);
          }}
        >
          {SPEEDS.map((one) => (
            <option key={one} value={String(one)}>
              {words.times(String(one))}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button is-small" aria-pressed={hasCaptions} onClick={onCaptions}>
        {words.captions}
      </button>
      <IconButton sign="⤢" name={isFull ? words.leaveFullScreen : words.fullScreen} isOff={false} onClick={onFull} />
      <Whereabouts />
    </div>
  );
}

/** A mouse click keeps the focus where it is, so that Space still means pause. Tab reaches every button. */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}

/** Shows "live" or how far behind the stage is, with a button back to now. */
function Whereabouts() {
  const player = usePlayer();
  const { behindMs, isPlaying, hasNext, score } = useStageView();
  const words = useWords().stage;
  if (score.beats.length === 0) return null;
  const isBehind = hasNext || (behindMs > BEHIND_MS && !isPlaying);
  return (
    <span className="stage-where">
      {isPlaying ? null : `${words.paused} · `}
      {isBehind ? words.behind(durationText(Math.round(behindMs / 1000) * 1000)) : words.live}{' '}
      {(isBehind || !isPlaying) && (
        <button type="button" className="button is-small" onClick={() => player.goLive()}>
          {words.controls.goLive}
        </button>
      )}
    </span>
  );
}

type IconButtonProps = { sign: string; name: string; isOff: boolean; onClick: () => void };

function IconButton({ sign, name, isOff, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="button stage-icon"
      aria-label={name}
      title={name}
      disabled={isOff}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

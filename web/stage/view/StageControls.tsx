import type { MouseEvent } from 'react';
import { useWords } from '../../words/language.ts';
import { STAGE_KEYS, type StageKey } from '../playback/stage-keys.ts';
import { SPEEDS } from '../playback/stage-view.ts';
import { usePlayer, useStageView } from '../playback/use-stage.ts';

type StageControlsProps = {
  isFull: boolean;
  onFull: () => void;
  hasCaptions: boolean;
  onCaptions: () => void;
  showsAhead: boolean;
  onAhead: () => void;
};

/** The transport bar: play, steps, speed, captions and full screen. */
export function StageControls({ isFull, onFull, hasCaptions, onCaptions, showsAhead, onAhead }: StageControlsProps) {
  const player = usePlayer();
  const { isPlaying, picture, hasNext, speed, storyboard } = useStageView();
  const words = useWords().stage.controls;
  const isEmpty = storyboard.beats.length === 0;
  const play = isPlaying ? { sign: '❚❚', word: words.pause } : { sign: '▶', word: words.play };
  return (
    <div className="stage-controls" role="toolbar" aria-label={words.label} onMouseDown={keepFocus}>
      <div className="stage-transport">
        <Control sign="⟲" word={words.restart} does="restart" isOff={isEmpty} onClick={() => player.restart()} />
        <Control sign="◀" word={words.back} does="back" isOff={picture.beat === null} onClick={() => player.step(-1)} />
        <Control {...play} does="play" isOff={isEmpty} onClick={() => player.toggle()} />
        <Control sign="▶▏" word={words.on} does="on" isOff={!hasNext} onClick={() => player.step(1)} />
      </div>
      <label className="stage-speed">
        <span className="only-heard">{words.speed}</span>
        <select
          value={String(speed)}
          onChange={(event) => {
            const chosen = SPEEDS.find((each) => String(each) === event.target.value);
            if (chosen) player.setSpeed(chosen);
          }}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={String(each)}>
              {words.times(String(each))}
            </option>
          ))}
        </select>
      </label>
      <Control sign="❝" word={words.captions} does="captions" isOn={hasCaptions} onClick={onCaptions} />
      <Control sign="⇥" word={words.ahead} does="ahead" isOn={showsAhead} onClick={onAhead} />
      <Control sign="⤢" word={isFull ? words.leaveFullScreen : words.fullScreen} does="full" onClick={onFull} />
    </div>
  );
}

/** A mouse click keeps the focus where it is, so that Space still means pause. Tab reaches every button. */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}

type ControlProps = {
  sign: string;
  word: string;
  /** The key that does the same. */
  does: StageKey;
  isOff?: boolean;
  /** Set if the button stays pressed. */
  isOn?: boolean;
  onClick: () => void;
};

function Control({ sign, word, does, isOff = false, isOn, onClick }: ControlProps) {
  const key = STAGE_KEYS.find(({ id }) => id === does)?.keys[0] ?? '';
  return (
    <button
      type="button"
      className="button stage-control"
      title={`${word} (${key})`}
      aria-pressed={isOn}
      disabled={isOff}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span> <span className="stage-word">{word}</span>
    </button>
  );
}

import type { Demo } from '../../../shared/wire/demo.ts';
import { durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { usePlayer, useStageView } from '../playback/use-stage.ts';
import { keepFocus } from './StageControls.tsx';

type StageHeadProps = { demo: Demo; title: string; seesAsking: boolean; isShow: boolean; onPlayShow: () => void };

/** The title bar. Its play button is always first, and never moves. */
export function StageHead({ demo, title, seesAsking, isShow, onPlayShow }: StageHeadProps) {
  const words = useWords().stage;
  return (
    <header className="stage-head">
      <button
        type="button"
        className="button is-primary"
        disabled={demo.starting !== undefined}
        onMouseDown={keepFocus}
        onClick={onPlayShow}
      >
        <span aria-hidden="true">▶</span> {isShow ? words.controls.playShow : words.scenario.start}
      </button>
      <h2>{title}</h2>
      {demo.recorded === true && (
        <span className="stage-recording" title={words.recordingMeans}>
          <span aria-hidden="true">●</span> {words.recording}
        </span>
      )}
      <StageNotes demo={demo} seesAsking={seesAsking} />
      <PlaybackPosition isLive={demo.state === 'running'} />
    </header>
  );
}

/** Shown only to a user who drives the stage by hand: how far it is behind, with a button back to now. */
function PlaybackPosition({ isLive }: { isLive: boolean }) {
  const player = usePlayer();
  const { behindMs, isPlaying, isByHand, hasNext, storyboard } = useStageView();
  const words = useWords().stage;
  if (!isByHand || storyboard.beats.length === 0 || (isPlaying && !hasNext)) return null;
  return (
    <span className="stage-where">
      {!isPlaying && words.paused} {isLive && words.behind(durationText(Math.round(behindMs / 1000) * 1000))}{' '}
      <button type="button" className="button is-small" onClick={() => player.goLive()}>
        {isLive ? words.controls.goLive : words.controls.toEnd}
      </button>
    </span>
  );
}

/** Redisson's default lease, which the demo shortens. */
const USUAL_LEASE_MS = 30_000;
/** Scenarios without a lease that a watchdog renews. */
const WITHOUT_LEASE: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

/** What differs from Redisson on this stage, and what cannot be seen at this level, in one line. */
function StageNotes({ demo, seesAsking }: { demo: Demo; seesAsking: boolean }) {
  const { common, stage, stageKinds } = useWords();
  const scenario = demo.scenario ?? '';
  const isShortened = demo.watchdogMs !== undefined && !WITHOUT_LEASE.has(scenario);
  const notes = [
    seesAsking ? undefined : stage.noMonitor,
    isShortened ? stage.shortened(durationText(USUAL_LEASE_MS)) : undefined,
    stageKinds.notes[scenario],
  ].filter((note) => note !== undefined);
  const text = common.sentences(notes);
  return (
    <p title={text} className={`stage-note ${seesAsking ? 'quiet' : ''}`}>
      {text}
    </p>
  );
}

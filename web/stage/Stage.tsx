import '../styles/stage.css';
import '../styles/stage-several.css';
import { useEffect, useRef, useState } from 'react';
import type { Demo } from '../../shared/wire/demo.ts';
import type { DemoCommand } from '../data/demo-queries.ts';
import { useLive, useLiveStore } from '../data/use-live.ts';
import { durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { StageLanes } from './lanes/StageLanes.tsx';
import { playerOf } from './playback/player.ts';
import { StageMotion } from './playback/stage-motion.ts';
import type { StepsShown } from './playback/steps-shown.ts';
import { PlayerContext, usePlayer, useStageView } from './playback/use-stage.ts';
import { useStageKeys } from './playback/use-stage-keys.ts';
import { Lens } from './view/Lens.tsx';
import { StageControls } from './view/StageControls.tsx';
import { StageFloor } from './view/StageFloor.tsx';
import { Summary } from './view/Summary.tsx';
import { useFullScreen } from './view/use-full-screen.ts';

/** Redisson's default lease, which the demo shortens. */
const USUAL_LEASE_MS = 30_000;
/** The scenario with both scenes, one after the other. */
const SHOW = 'full-show';
/** Scenarios without a lease that a watchdog renews. */
const WITHOUT_LEASE: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

type StageProps = {
  demo: Demo;
  lock: string;
  title: string;
  onCommand: (command: DemoCommand) => void;
  /** Called with the steps of the scenario that the stage has shown; null when the stage is removed. */
  onSteps: (steps: StepsShown | null) => void;
};

/** The stage: cards, envelopes, one caption, the time lens, and the timeline of the lock. */
export default function Stage(props: StageProps) {
  const live = useLiveStore();
  const player = playerOf(live);
  const { demo, lock } = props;

  useEffect(() => {
    const stopReading = player.events.read();
    const stop = player.run();
    return () => {
      stopReading();
      stop();
    };
  }, [player]);
  useEffect(() => player.take(demo, lock), [player, demo, lock]);

  return (
    <PlayerContext value={player}>
      <StageOf {...props} />
    </PlayerContext>
  );
}

function StageOf({ demo, lock, title, onCommand, onSteps }: StageProps) {
  const { stage: words, stageKinds } = useWords();
  const note = stageKinds.notes[demo.scenario ?? ''];
  const root = useRef<HTMLElement>(null);
  const [hasCaptions, setCaptions] = useState(true);
  const [isYourself, setYourself] = useState(false);
  const { isFull, toggleFull } = useFullScreen(root);
  const { hasNext, picture, steps } = useStageView();
  const { run, shown } = steps;
  useEffect(() => onSteps({ run, shown }), [onSteps, run, shown]);
  useEffect(() => () => onSteps(null), [onSteps]);
  const seesAsking = useLive((state) => state.sources.every(({ level }) => level === 'monitor'));
  const isOver = demo.state !== 'running' && demo.state !== 'paused' && demo.starting === undefined;
  const isAtEnd = isOver && !hasNext && picture.lensMs === null && picture.envelope === null;
  const isSummed = isAtEnd && demo.state === 'done' && !isYourself && picture.beat !== null;
  const playShow = () => {
    setYourself(false);
    onCommand({ do: 'start-scenario', id: SHOW });
  };
  const toggleCaptions = () => setCaptions((isOn) => !isOn);
  const player = usePlayer();
  useEffect(() => {
    if (!root.current) return;
    const motion = new StageMotion(root.current);
    return player.onFrame(motion.show);
  }, [player]);
  useStageKeys({ onPlayShow: isOver ? playShow : null, onFull: toggleFull, onCaptions: toggleCaptions });

  const isDriven = isOver && !isSummed && demo.recorded !== true && (isYourself || demo.state !== 'done');
  return (
    <section ref={root} className={`panel stage ${hasCaptions ? '' : 'is-without-captions'}`} aria-label={words.region}>
      <header className="stage-head">
        <h2>{title}</h2>
        {demo.recorded === true && (
          <span className="stage-recording" title={words.recordingMeans}>
            <span aria-hidden="true">●</span> {words.recording}
          </span>
        )}
        <StageControls
          onPlayShow={isAtEnd && !isSummed ? playShow : null}
          isFull={isFull}
          onFull={toggleFull}
          hasCaptions={hasCaptions}
          onCaptions={toggleCaptions}
        />
      </header>
      {demo.watchdogMs !== undefined && !WITHOUT_LEASE.has(demo.scenario ?? '') && (
        <p className="stage-note quiet">{words.shortened(durationText(USUAL_LEASE_MS))}</p>
      )}
      {note !== undefined && <p className="stage-note quiet">{note}</p>}
      {!seesAsking && <p className="stage-note">{words.noMonitor}</p>}
      <StageFloor demo={demo} lock={lock} isDriven={isDriven} onCommand={onCommand} />
      {isSummed && (
        <Summary
          onAgain={() => onCommand({ do: 'start-scenario', id: demo.scenario ?? SHOW })}
          onYourself={demo.recorded === true ? null : () => setYourself(true)}
        />
      )}
      <div className="stage-below">
        <StageLanes />
        <Lens />
      </div>
    </section>
  );
}

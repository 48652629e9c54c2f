import './styles/stage.css';
import './styles/stage-lanes.css';
import './styles/stage-lens.css';
import './styles/stage-frame.css';
import './styles/stage-head.css';
import './styles/stage-ending.css';
import './styles/stage-several.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Demo } from '../../shared/wire/demo.ts';
import { useLive, useLiveStore } from '../data/live/use-live.ts';
import type { DemoCommand } from '../data/queries/demo-queries.ts';
import { useWords } from '../words/language.ts';
import { StageLanes } from './lanes/StageLanes.tsx';
import { playerOf } from './playback/player.ts';
import { StageMotion } from './playback/stage-motion.ts';
import type { StageProgress } from './playback/steps-shown.ts';
import { PlayerContext, usePlayer, useStageView } from './playback/use-stage.ts';
import { useStageKeys } from './playback/use-stage-keys.ts';
import { SHOW } from './script/scenario-table.ts';
import { CaptionBar } from './view/Caption.tsx';
import { Ending } from './view/Ending.tsx';
import { Lens } from './view/Lens.tsx';
import { StageControls } from './view/StageControls.tsx';
import { StageFloor } from './view/StageFloor.tsx';
import { StageHead } from './view/StageHead.tsx';
import { useFullScreen } from './view/use-full-screen.ts';

type StageProps = {
  demo: Demo;
  lock: string;
  title: string;
  onCommand: (command: DemoCommand) => void;
  /** Called with the progress of the stage; null when the stage is removed. */
  onSteps: (steps: StageOnPage | null) => void;
  /** The scenario that the play button of the title bar starts; null: the show. */
  first?: string | null;
};

/** The progress of the stage, and whether it shows what comes. */
export type StageOnPage = StageProgress & { readonly showsAhead: boolean };

/** The stage: title bar, controls, caption, cards with envelopes, and the timeline of the lock with the time lens. */
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
  const [isTaken, setTaken] = useState(false);
  // the first paint has the cards: if they came later, they would push down what is below them
  useLayoutEffect(() => {
    player.take(demo, lock);
    setTaken(true);
  }, [player, demo, lock]);

  return <PlayerContext value={player}>{isTaken && <StageOf {...props} />}</PlayerContext>;
}

function StageOf({ demo, lock, title, onCommand, onSteps, first = null }: StageProps) {
  const words = useWords().stage;
  const root = useRef<HTMLElement>(null);
  const [hasCaptions, setCaptions] = useState(true);
  const [showsAhead, setAhead] = useState(false);
  const [isYourself, setYourself] = useState(false);
  const { isFull, toggleFull } = useFullScreen(root);
  const { hasNext, picture, steps } = useStageView();
  const { run, shown, isPlaying, hasMore } = steps;
  useEffect(
    () => onSteps({ run, shown, isPlaying, hasMore, showsAhead }),
    [onSteps, run, shown, isPlaying, hasMore, showsAhead],
  );
  useEffect(() => () => onSteps(null), [onSteps]);
  const seesAsking = useLive((state) => state.sources.every(({ level }) => level === 'monitor'));
  const isOver = demo.state !== 'running' && demo.state !== 'paused' && demo.starting === undefined;
  const isAtEnd = isOver && !hasNext && picture.lensMs === null && picture.envelope === null;
  // paused at the last beat, the cards stay in view
  const isEnding = isAtEnd && isPlaying && demo.state === 'done' && !isYourself && picture.beat !== null;
  const start = (id: string) => {
    setYourself(false);
    onCommand({ do: 'start-scenario', id });
  };
  const toggleCaptions = () => setCaptions((isOn) => !isOn);
  const toggleAhead = () => setAhead((isOn) => !isOn);
  const player = usePlayer();
  useEffect(() => {
    if (!root.current) return;
    const motion = new StageMotion(root.current);
    return player.onFrame(motion.show);
  }, [player]);
  const playShow = () => start(first ?? SHOW);
  useStageKeys({
    onPlayShow: isOver ? playShow : null,
    onFull: toggleFull,
    onCaptions: toggleCaptions,
    onAhead: toggleAhead,
  });

  const isDriven = isOver && !isEnding && demo.recorded !== true && (isYourself || demo.state !== 'done');
  const looks = `${hasCaptions ? '' : 'is-without-captions'} ${isDriven ? 'is-driven' : ''}`;
  return (
    <section ref={root} className={`panel stage ${looks}`} aria-label={words.region}>
      <StageHead demo={demo} title={title} seesAsking={seesAsking} isShow={first === null} onPlayShow={playShow} />
      <StageControls
        isFull={isFull}
        onFull={toggleFull}
        hasCaptions={hasCaptions}
        onCaptions={toggleCaptions}
        showsAhead={showsAhead}
        onAhead={toggleAhead}
      />
      <CaptionBar demo={demo} isEnding={isEnding} />
      <div className="stage-middle">
        <StageFloor demo={demo} lock={lock} isDriven={isDriven} isCovered={isEnding} onCommand={onCommand} />
        {isEnding && (
          <Ending
            onAgain={() => start(demo.scenario ?? SHOW)}
            onYourself={demo.recorded === true ? null : () => setYourself(true)}
          />
        )}
      </div>
      <div className="stage-below">
        <StageLanes showsAhead={showsAhead} />
        <Lens />
      </div>
    </section>
  );
}

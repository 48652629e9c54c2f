import { useState } from 'react';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { DemoCommand } from '../../data/demo-queries.ts';
import { useWords } from '../../words/language.ts';
import { captionText } from '../captions/caption.ts';
import type { ActorCard } from '../playback/actors-at.ts';
import { startingText } from '../playback/starting-text.ts';
import { useStageView } from '../playback/use-stage.ts';
import { ActorButtons } from './ActorButtons.tsx';
import { ActorCardView } from './ActorCardView.tsx';
import { Circle } from './Circle.tsx';
import { Envelope } from './Envelope.tsx';
import { Insight } from './Insight.tsx';
import { LocalCards } from './LocalCardView.tsx';
import { Nodes } from './Nodes.tsx';
import { RedisShelf } from './RedisCardView.tsx';
import { TallyTable } from './TallyTable.tsx';

type StageFloorProps = { demo: Demo; lock: string; isDriven: boolean; onCommand: (command: DemoCommand) => void };

/** Clients that are always shown. Others appear after their first event, or when the user adds them. */
const ALWAYS = ['A', 'B'];

/** The clients' cards on the left and right, Redis in the middle, the envelope between them, the caption below. */
export function StageFloor({ demo, lock, isDriven, onCommand }: StageFloorProps) {
  const { picture } = useStageView();
  const words = useWords().stage;
  const [joined, setJoined] = useState<readonly string[]>([]);

  const isOn = ({ client, hasAppeared }: ActorCard) =>
    ALWAYS.includes(client) || hasAppeared || joined.includes(client);
  const shown = picture.actors.filter(isOn);
  const waiting = picture.actors.filter((actor) => !isOn(actor));
  const card = (actor: ActorCard) => {
    const client = demo.clients.find(({ id }) => id === actor.client);
    return (
      <ActorCardView key={actor.client} actor={actor} stress={picture.stress}>
        {isDriven && client && <ActorButtons actor={actor} client={client} lock={lock} onCommand={onCommand} />}
      </ActorCardView>
    );
  };
  return (
    <div className="stage-floor" data-beat={picture.beat?.id ?? ''}>
      <div className="stage-side is-left">
        {shown.slice(0, 1).map(card)}
        <LocalCards client={shown[0]?.client ?? ''} />
      </div>
      <RedisShelf>
        <Nodes />
        <Circle />
        <TallyTable />
      </RedisShelf>
      <div className="stage-side is-right">
        {shown.slice(1).map(card)}
        {isDriven &&
          waiting.map(({ client }) => (
            <button key={client} type="button" className="button" onClick={() => setJoined([...joined, client])}>
              {words.yourself.join(client)}
            </button>
          ))}
      </div>
      <Envelope />
      <Insight />
      <Caption demo={demo} />
    </div>
  );
}

/** The caption, or what a starting scenario waits for. Screen readers read it aloud when it changes. */
function Caption({ demo: { starting, state } }: { demo: Pick<Demo, 'starting' | 'state'> }) {
  const { picture, score } = useStageView();
  const words = useWords();
  const text = picture.caption ? captionText(picture.caption, words) : '';
  const isWaiting = score.beats.length === 0;
  const whileEmpty = state === 'running' ? words.stage.firstEvent : words.stage.nothingYet;
  if (starting)
    return (
      <p className="stage-caption is-starting" role="status">
        {startingText(starting, words)}
      </p>
    );
  return (
    <p className="stage-caption" role="status" data-say={picture.caption?.say ?? ''}>
      {isWaiting ? <span className="quiet">{whileEmpty}</span> : text}
    </p>
  );
}

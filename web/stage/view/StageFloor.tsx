import { useRef, useState } from 'react';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { DemoCommand } from '../../data/demo-queries.ts';
import { useWords } from '../../words/language.ts';
import type { ActorCard } from '../playback/actors-at.ts';
import { useStageView } from '../playback/use-stage.ts';
import { ActorButtons } from './ActorButtons.tsx';
import { ActorCardView } from './ActorCardView.tsx';
import { Circle } from './Circle.tsx';
import { Envelope } from './Envelope.tsx';
import { LocalCards } from './LocalCardView.tsx';
import { Nodes } from './Nodes.tsx';
import { RedisStore } from './RedisCardView.tsx';
import { TallyTable } from './TallyTable.tsx';
import { useFit } from './use-fit.ts';

type StageFloorProps = {
  demo: Demo;
  lock: string;
  isDriven: boolean;
  /** The ending covers the cards. */
  isCovered: boolean;
  onCommand: (command: DemoCommand) => void;
};

/** Clients that are always shown. Others appear after their first event, or when the user adds them. */
const ALWAYS = ['A', 'B'];

/** The clients' cards on the left and right, Redis in the middle, the envelope between them. */
export function StageFloor({ demo, lock, isDriven, isCovered, onCommand }: StageFloorProps) {
  const { picture, score } = useStageView();
  const words = useWords().stage;
  const [joined, setJoined] = useState<readonly string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLDivElement>(null);
  useFit(box, cards, score.run.from);

  const hasThree = demo.script.some(({ who = '' }) => who.startsWith('C') || who === 'anybody');
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
    <div ref={box} className="stage-floor" data-beat={picture.beat?.id ?? ''} hidden={isCovered}>
      <div ref={cards} className={`stage-cards ${hasThree ? 'is-three' : ''}`}>
        <div className="stage-side is-left">
          {shown.slice(0, 1).map(card)}
          <LocalCards client={shown[0]?.client ?? ''} />
        </div>
        <RedisStore>
          <Nodes />
          <Circle />
          <TallyTable />
        </RedisStore>
        <div className="stage-side is-right">
          {shown.slice(1).map(card)}
          {isDriven &&
            waiting.map(({ client }) => (
              <button key={client} type="button" className="button" onClick={() => setJoined([...joined, client])}>
                {words.yourself.join(client)}
              </button>
            ))}
        </div>
      </div>
      <Envelope />
    </div>
  );
}

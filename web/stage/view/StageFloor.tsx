import { useRef, useState } from 'react';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { DemoCommand } from '../../data/queries/demo-queries.ts';
import { NameText } from '../../ui/NameText.tsx';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { MoveLabel } from '../beats/moves-of.ts';
import type { ActorCard } from '../playback/actors-at.ts';
import type { LocalCard } from '../playback/stage-at.ts';
import { useStageView } from '../playback/use-stage.ts';
import { ActorButtons } from './ActorButtons.tsx';
import { ActorCardView } from './ActorCardView.tsx';
import { Circle } from './Circle.tsx';
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

/** A sign for each state of a server. */
const NODE_SIGN = { master: '●', copies: '⇠', 'cut-off': '⇠', killed: '✕', promoted: '●' } as const;

/** The clients' cards on the left and right, Redis in the middle, the envelope between them. */
export function StageFloor({ demo, lock, isDriven, isCovered, onCommand }: StageFloorProps) {
  const { picture, storyboard } = useStageView();
  const words = useWords().stage;
  const [joined, setJoined] = useState<readonly string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLDivElement>(null);
  useFit(box, cards, storyboard.run.from);

  const hasThree = demo.script.some(({ who = '' }) => who.startsWith('C') || who === 'anybody');
  const isOn = ({ client, hasAppeared }: ActorCard) =>
    ALWAYS.includes(client) || hasAppeared || joined.includes(client);
  const shown = picture.actors.filter(isOn);
  const waiting = picture.actors.filter((actor) => !isOn(actor));
  const card = (actor: ActorCard) => {
    const client = demo.clients.find(({ id }) => id === actor.client);
    return (
      <ActorCardView key={actor.client} actor={actor} highlight={picture.highlight}>
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

/** The master and the replicas behind a lock, with the faults that the demo reports. */
function Nodes() {
  const { nodes } = useStageView().picture;
  const words = useWords().several.nodes;
  if (nodes.length === 0) return null;
  return (
    <ul className="stage-nodes" aria-label={words.label}>
      {nodes.map(({ name, state, of }) => (
        <li key={name} className={`is-${state}`}>
          <span aria-hidden="true">{NODE_SIGN[state]}</span> <b>{name}</b> {words.states[state](of ?? '')}
        </li>
      ))}
    </ul>
  );
}

/** The envelope on its way, with its label. It is hidden from screen readers: captions have the same content. */
function Envelope() {
  const { envelope } = useStageView().picture;
  const words = useWords().stage.envelope;
  const textOf = (label: MoveLabel): string =>
    label.is === 'busy' ? words.busy(label.leftMs === null ? null : countdownText(label.leftMs)) : words[label.is];
  const way = envelope?.way ?? 'to-redis';
  return (
    <div
      data-part="envelope"
      data-who={envelope?.client}
      className={`stage-envelope is-${envelope?.label.is ?? 'none'} is-${way}`}
      aria-hidden="true"
      hidden
    >
      <span>✉</span> {envelope ? textOf(envelope.label) : ''}
    </div>
  );
}

/** The locks in one client's own memory, as the client reports them. Redis does not see them, so Lockscope cannot. */
function LocalCards({ client }: { client: string }) {
  const { locals } = useStageView().picture;
  return locals.filter((card) => card.client === client).map((card) => <LocalCardView key={card.name} card={card} />);
}

function LocalCardView({ card }: { card: LocalCard }) {
  const words = useWords().several.local;
  const { client, name, takenBy, waitsMs, isOwn } = card;
  return (
    <section
      className={`stage-card stage-local ${waitsMs === null ? '' : 'is-stuck'}`}
      aria-label={words.label(client, name)}
    >
      <h3>
        {words.title(client)} <NameText text={name} most={24} isOneLine />
      </h3>
      <p className="stage-doing">{takenBy === null ? words.free : words.taken}</p>
      {waitsMs !== null && (
        <p className="stage-local-waits">
          <span aria-hidden="true">∞</span> {isOwn ? words.waitsForItself : words.waits} {countdownText(waitsMs)}
        </p>
      )}
      <p className="stage-told">
        <span aria-hidden="true">⌁</span> {words.reported}
      </p>
    </section>
  );
}

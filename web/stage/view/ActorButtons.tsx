import type { ClientAction, DemoClient, ThreadAction, ThreadActionBody } from '../../../shared/wire/demo.ts';
import { CLIENT_ACTIONS, type DemoCommand } from '../../data/queries/demo-queries.ts';
import { useWords } from '../../words/language.ts';
import type { ActorCard } from '../playback/actors-at.ts';
import { useStageView } from '../playback/use-stage.ts';

type ActorButtonsProps = {
  actor: ActorCard;
  client: DemoClient;
  lock: string;
  onCommand: (command: DemoCommand) => void;
};

/** The time limit of "try". */
const TRY_MS = 2000;
/** The count to which the button sets a latch. */
const SET_TO = 3;

/** The buttons of a card: requests of its first thread, and actions on its process. */
export function ActorButtons({ actor, client, lock, onCommand }: ActorButtonsProps) {
  const { stage, stageKinds } = useWords();
  const [words, kinds] = [stage.yourself, stageKinds.yourself];
  const { actions } = stage.clients;
  const isHolding = actor.threads.some(({ thread, doing }) => thread === '1' && doing === 'works');
  const isAble = client.state === 'running' && client.threads[0]?.state === 'idle';
  const ask = (action: ThreadAction, more: Omit<ThreadActionBody, 'lock'> = {}) =>
    onCommand({ do: 'thread', client: client.id, thread: 1, action, body: { lock, ...more } });
  const act = (action: ClientAction) => onCommand({ do: 'client', client: client.id, action });
  const kind = useStageView().picture.locks[0]?.lock?.kind;
  const isSemaphore = kind === 'semaphore' || kind === 'expirable-semaphore';
  const byKind = isSemaphore
    ? { lock: kinds.take, unlock: kinds.giveBack }
    : { lock: isHolding ? words.lockAgain : words.lock, unlock: words.unlock };
  const tries = { word: words.tryFor, run: () => ask('tryLock', { waitMs: TRY_MS }) };
  const sets = { word: kinds.setTo(SET_TO), run: () => ask('trySetCount', { kind: 'latch', permits: SET_TO }) };
  const isLatch = kind === 'latch';
  const asks = [
    { word: isLatch ? kinds.wait : byKind.lock, run: () => ask('lock') },
    isLatch ? sets : tries,
    { word: isLatch ? kinds.countDown : byKind.unlock, run: () => ask('unlock') },
  ];
  return (
    <div className="stage-buttons">
      {asks.map(({ word, run }) => (
        <button
          key={word}
          type="button"
          className="button is-small"
          disabled={!isAble}
          aria-label={words.as(word, client.id)}
          onClick={run}
        >
          {word}
        </button>
      ))}
      {CLIENT_ACTIONS[client.state].map((action) => (
        <button
          key={action}
          type="button"
          className="button is-small"
          aria-label={words.to(actions[action].word, client.id)}
          onClick={() => act(action)}
        >
          {actions[action].word}
        </button>
      ))}
    </div>
  );
}

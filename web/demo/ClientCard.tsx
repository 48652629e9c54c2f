import type { ClientAction, DemoClient, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import type { DemoCommand } from '../data/demo-queries.ts';
import { Letter } from '../inspector/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import type { ThreadOrder } from './ThreadOrderForm.tsx';

const STATE: Readonly<Record<DemoClient['state'], { sign: string; word: string }>> = {
  starting: { sign: '◔', word: 'starting' },
  running: { sign: '●', word: 'running' },
  frozen: { sign: '❄', word: 'frozen' },
  cut: { sign: '◐', word: 'cut off' },
  dead: { sign: '✕', word: 'killed' },
};

/** What can be done to a client in each state: real signals to a real process. */
const ACTIONS: Readonly<Record<DemoClient['state'], readonly ClientAction[]>> = {
  starting: [],
  running: ['freeze', 'kill'],
  frozen: ['thaw', 'kill'],
  cut: ['heal', 'kill'],
  dead: ['start'],
};

const ACTION: Readonly<Record<ClientAction, { word: string; does: string }>> = {
  freeze: { word: 'Freeze', does: 'Stops the process, as a long pause would (SIGSTOP)' },
  thaw: { word: 'Thaw', does: 'Lets the process go on (SIGCONT)' },
  kill: { word: 'Kill', does: 'Ends the process at once, as a crash would (SIGKILL)' },
  start: { word: 'Start', does: 'Starts the client again, with a new id' },
  cut: { word: 'Cut', does: 'Cuts its connection to Redis' },
  heal: { word: 'Heal', does: 'Lets it connect to Redis again' },
};

type ClientCardProps = { client: DemoClient; order: ThreadOrder; onCommand: (command: DemoCommand) => void };

/** One client process: its state, its faults, its threads. */
export function ClientCard({ client, order, onCommand }: ClientCardProps) {
  const { sign, word } = STATE[client.state];
  return (
    <article className={`card client-card is-${client.state}`} aria-label={`Client ${client.id}`}>
      <header>
        <h3>
          <Letter letter={client.id} /> <NameText text={client.name} most={32} />
        </h3>
        <span className="client-buttons">
          {ACTIONS[client.state].map((action) => (
            <button
              key={action}
              type="button"
              className="button is-small"
              title={ACTION[action].does}
              aria-label={`${ACTION[action].word} client ${client.id}`}
              onClick={() => onCommand({ do: 'client', client: client.id, action })}
            >
              {ACTION[action].word}
            </button>
          ))}
        </span>
        <p className="client-state">
          <span aria-hidden="true">{sign}</span> {word}{' '}
          <span className="quiet" title={client.uuid}>
            {client.pid === null ? 'no process' : `process ${client.pid}`}
          </span>
        </p>
      </header>
      {client.threads.map((thread) => (
        <ThreadRow key={thread.n} client={client} thread={thread} order={order} onCommand={onCommand} />
      ))}
    </article>
  );
}

const THREAD_BUTTONS: readonly { action: ThreadAction; word: string }[] = [
  { action: 'lock', word: 'Lock' },
  { action: 'tryLock', word: 'Try lock' },
  { action: 'unlock', word: 'Unlock' },
];

type ThreadRowProps = ClientCardProps & { thread: DemoClient['threads'][number] };

function ThreadRow({ client, thread, order, onCommand }: ThreadRowProps) {
  const isBusy = thread.state === 'busy';
  const isAble = client.state === 'running' && !isBusy && order.lock !== '';
  return (
    <div className="thread-row">
      <b className="thread-name">Thread {thread.n}</b>
      <span className="thread-buttons">
        {THREAD_BUTTONS.map(({ action, word }) => (
          <button
            key={action}
            type="button"
            className="button is-small"
            disabled={!isAble}
            aria-label={`${word}, client ${client.id} thread ${thread.n}`}
            onClick={() =>
              onCommand({ do: 'thread', client: client.id, thread: thread.n, action, body: bodyOf(action, order) })
            }
          >
            {word}
          </button>
        ))}
      </span>
      <span className="thread-story">
        <ThreadStory thread={thread} />
      </span>
    </div>
  );
}

function ThreadStory({ thread }: { thread: DemoClient['threads'][number] }) {
  if (thread.state === 'busy') {
    return (
      <>
        <span aria-hidden="true">◔</span> {thread.doing ?? 'busy'}
      </>
    );
  }
  if (!thread.last) return <span className="quiet">idle</span>;
  const { op, lock, ok, result } = thread.last;
  return (
    <>
      <span aria-hidden="true">{ok ? '✓' : '✕'}</span> {op} <NameText text={lock} most={24} />:{' '}
      <NameText text={result} most={80} />
    </>
  );
}

function bodyOf(action: ThreadAction, { lock, leaseMs, waitMs }: ThreadOrder): ThreadActionBody {
  const isTaking = action === 'lock' || action === 'tryLock';
  return {
    lock,
    ...(isTaking && leaseMs !== null ? { leaseMs } : {}),
    ...(action === 'tryLock' && waitMs > 0 ? { waitMs } : {}),
  };
}

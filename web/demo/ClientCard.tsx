import type { DemoClient, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import { CLIENT_ACTIONS, type DemoCommand } from '../data/queries/demo-queries.ts';
import { Letter } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { useWords } from '../words/language.ts';
import type { ThreadOrder } from './ThreadOrderForm.tsx';

const SIGNS: Readonly<Record<DemoClient['state'], string>> = {
  starting: '◔',
  running: '●',
  frozen: '❄',
  cut: '◐',
  dead: '✕',
};

type ClientCardProps = { client: DemoClient; order: ThreadOrder; onCommand: (command: DemoCommand) => void };

/** One client process: its state, buttons for its faults, and its threads. */
export function ClientCard({ client, order, onCommand }: ClientCardProps) {
  const words = useWords().stage.clients;
  return (
    <article className={`card client-card is-${client.state}`} aria-label={words.client(client.id)}>
      <header>
        <h3>
          <Letter letter={client.id} /> <NameText text={client.name} most={32} />
        </h3>
        <span className="client-buttons">
          {CLIENT_ACTIONS[client.state].map((action) => (
            <button
              key={action}
              type="button"
              className="button is-small"
              title={words.actions[action].does}
              aria-label={words.actOn(words.actions[action].word, client.id)}
              onClick={() => onCommand({ do: 'client', client: client.id, action })}
            >
              {words.actions[action].word}
            </button>
          ))}
        </span>
        <p className="client-state">
          <span aria-hidden="true">{SIGNS[client.state]}</span> {words.states[client.state]}{' '}
          <span className="quiet" title={client.uuid}>
            {client.pid === null ? words.noProcess : words.process(String(client.pid))}
          </span>
        </p>
      </header>
      {client.threads.map((thread) => (
        <ThreadRow key={thread.n} client={client} thread={thread} order={order} onCommand={onCommand} />
      ))}
    </article>
  );
}

const THREAD_ACTIONS = ['lock', 'tryLock', 'unlock'] as const satisfies readonly ThreadAction[];

type ThreadRowProps = ClientCardProps & { thread: DemoClient['threads'][number] };

function ThreadRow({ client, thread, order, onCommand }: ThreadRowProps) {
  const words = useWords().stage.clients;
  const isBusy = thread.state === 'busy';
  const isAble = client.state === 'running' && !isBusy && order.lock !== '';
  return (
    <div className="thread-row">
      <b className="thread-name">{words.thread(String(thread.n))}</b>
      <span className="thread-buttons">
        {THREAD_ACTIONS.map((action) => (
          <button
            key={action}
            type="button"
            className="button is-small"
            disabled={!isAble}
            aria-label={words.actAs(words.threadActions[action], client.id, String(thread.n))}
            onClick={() =>
              onCommand({ do: 'thread', client: client.id, thread: thread.n, action, body: bodyOf(action, order) })
            }
          >
            {words.threadActions[action]}
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
  const words = useWords().stage.clients;
  if (thread.state === 'busy') {
    return (
      <>
        <span aria-hidden="true">◔</span> {thread.doing ?? words.busy}
      </>
    );
  }
  if (!thread.last) return <span className="quiet">{words.idle}</span>;
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

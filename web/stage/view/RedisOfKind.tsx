import '../styles/stage-kinds.css';
import { millisBetween } from '../../../shared/base/time.ts';
import { isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { Letter } from '../../parts/Person.tsx';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { queueOf, sidesOf } from '../captions/sides.ts';
import type { RedisCard } from '../playback/stage-at.ts';
import { useStageView } from '../playback/use-stage.ts';
import { actorOf } from '../script/run.ts';
import { PermitBlocks } from './PermitBlocks.tsx';

/** Whether Redis stores the lock as a number, which has no single holder: a semaphore or latch. */
export function isNumber({ kind }: RedisCard): boolean {
  return kind !== undefined && isCounterKind(kind);
}

/** What Redis stores for one kind of lock, besides its holders. */
export function RedisOfKind({ card }: { card: RedisCard }) {
  const words = useWords().stageKinds.redis;
  const { kind, lock } = card;
  if (!lock) {
    return isNumber(card) && <p className="stage-free">{kind === 'latch' ? words.latchUnset : words.noPermits}</p>;
  }
  switch (lock.kind) {
    case 'fair-lock':
      return <Queue lock={lock} />;
    case 'read-write-lock':
      return <Sides lock={lock} />;
    case 'fenced-lock':
      return lock.fencingToken === null ? null : (
        <p className="stage-token">
          <span aria-hidden="true">№</span> {words.token(lock.fencingToken)}
        </p>
      );
    case 'spin-lock':
      return <p className="quiet">{words.noChannel}</p>;
    case 'semaphore':
    case 'expirable-semaphore':
      return <PermitBlocks lock={lock} />;
    case 'latch':
      return <LatchSteps lock={lock} />;
    default:
      return null;
  }
}

/** The wait queue in Redis, head first, with dead waiters marked, and deadlines less than 60 s away. */
function Queue({ lock }: { lock: LockState }) {
  const words = useWords().stageKinds.redis;
  const { picture, storyboard } = useStageView();
  const queue = queueOf(lock);
  if (queue.length === 0) return null;
  const isDead = (id: string) =>
    picture.actors.some(({ client, state }) => state === 'dead' && client === actorOf(storyboard.run, id).client) &&
    storyboard.run.faults.some(({ uuid, name }) => name === 'killed' && uuid === clientOf(id));
  return (
    <ol className="stage-queue" aria-label={words.queue}>
      {queue.map(({ id, position, deadline }) => {
        const leftMs = deadline === null ? null : millisBetween(picture.at, deadline);
        return (
          <li key={id} className={isDead(id) ? 'is-dead' : ''}>
            <b>{words.place(position ?? 0)}</b> <Letter letter={actorOf(storyboard.run, id).letter} />{' '}
            {isDead(id) && <strong>{words.dead}</strong>}{' '}
            {leftMs !== null && leftMs < SHORT_MS && (
              <span className="quiet">{leftMs > 0 ? words.deadline(countdownText(leftMs)) : words.overdue}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Deadlines farther away than this are not shown. */
const SHORT_MS = 60_000;

function Sides({ lock }: { lock: LockState }) {
  const words = useWords().stageKinds.redis;
  const { readers, writer } = sidesOf(lock);
  if (readers === 0 && writer === undefined) return null;
  const text = writer === undefined ? words.readers(readers) : readers > 0 ? words.writerReads : words.writer;
  return (
    <p className="stage-sides">
      <span className={writer === undefined ? 'stage-bars is-shared' : 'stage-bars'} aria-hidden="true" /> {text}
    </p>
  );
}

/** The count of a latch as steps that go down to zero. */
function LatchSteps({ lock }: { lock: LockState }) {
  const words = useWords().stageKinds.redis;
  const { storyboard } = useStageView();
  const count = lock.latch?.count ?? null;
  const set = storyboard.run.events.find((event) => event.type === 'latch.set');
  const total = Math.max(count ?? 0, set?.type === 'latch.set' ? set.count : 0);
  if (count === null) return <p className="stage-free">{words.latchUnset}</p>;
  return (
    <>
      <div className="stage-latch" aria-hidden="true">
        {Array.from({ length: total + 1 }, (_, done) => total - done).map((left) => (
          <span
            key={left}
            className={left === count ? 'is-now' : left > count ? 'is-done' : ''}
            style={{ '--left': left / Math.max(1, total) } as React.CSSProperties}
          >
            {left}
          </span>
        ))}
      </div>
      <p className="stage-left">{count === 0 ? words.latchOpen : words.latchClosed(count)}</p>
    </>
  );
}

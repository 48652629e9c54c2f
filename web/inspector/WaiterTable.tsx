import { redisTime } from '../../shared/base/time.ts';
import type { Lock, Waiter } from '../../shared/wire/lock.ts';
import { useRedisNow } from '../data/use-live.ts';
import { ageText, countdownText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { Moment } from './HolderCard.tsx';
import { waiterText } from './lock-words.ts';
import { Person } from './Person.tsx';

const MOST_SHOWN = 200;

/** Who waits for a lock, and what each of them is doing. */
export function WaiterTable({ lock }: { lock: Lock }) {
  const rest = lock.waiters.length - MOST_SHOWN;
  return (
    <WideBox label="Table of waiters" className="plain-table">
      <table aria-label="Waiters">
        <thead>
          <tr>
            <th scope="col">Waiter</th>
            <th scope="col">Waiting</th>
            <th scope="col">Since</th>
            <th scope="col">Attempts</th>
            <th scope="col">State</th>
            <th scope="col">{lock.kind === 'fair-lock' ? 'Keeps its place' : 'Asks by itself'}</th>
          </tr>
        </thead>
        <tbody>
          {lock.waiters.slice(0, MOST_SHOWN).map((waiter) => (
            <tr key={`${waiter.id} ${waiter.mode}`} className={waiter.presumedGone ? 'is-presumed-gone' : ''}>
              <td>
                {waiter.position !== null && <span className="quiet">{waiter.position}. </span>}
                <Person lockId={lock.id} {...waiter} most={48} />
                {waiter.mode !== 'exclusive' && <span className="quiet"> to {waiter.mode}</span>}
              </td>
              <td>
                <WaitLength source={lock.source} since={waiter.since} />
              </td>
              <td>
                <Moment at={waiter.since} />
              </td>
              <td>{waiter.attempts}</td>
              <td>
                <WaiterState waiter={waiter} />
              </td>
              <td>
                {waiter.deadline === null ? (
                  '–'
                ) : (
                  <>
                    {lock.kind === 'fair-lock' ? 'for ' : 'in '}
                    <TimeLeft source={lock.source} until={waiter.deadline} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className="quiet">and {rest} more</p>}
    </WideBox>
  );
}

function WaiterState({ waiter }: { waiter: Waiter }) {
  const text = waiterText(waiter);
  if (waiter.presumedGone) {
    return (
      <span className="certainty is-inferred" title="It did not come back when a live waiter would have.">
        {text}
      </span>
    );
  }
  return (
    <>
      <span aria-hidden="true">{waiter.asleep ? '☾ ' : '◔ '}</span>
      {text}
    </>
  );
}

function WaitLength({ source, since }: { source: string; since: number }) {
  const now = useRedisNow(source);
  return now === null ? '–' : ageText(Math.max(0, (now - redisTime(since)) / 1000));
}

function TimeLeft({ source, until }: { source: string; until: number }) {
  const now = useRedisNow(source);
  return now === null ? '–' : countdownText((redisTime(until) - now) / 1000);
}

import { redisTime } from '../../shared/base/time.ts';
import type { Lock, Waiter } from '../../shared/wire/lock.ts';
import { useShownNow } from '../cursor/shown-instant.ts';
import { ageText, countdownText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { useWords } from '../words/language.ts';
import { Moment } from './HolderCard.tsx';
import { waiterText } from './lock-words.ts';
import { Person } from './Person.tsx';

const MOST_SHOWN = 200;

/** Who waits for a lock, and what each of them is doing. */
export function WaiterTable({ lock }: { lock: Lock }) {
  const { common, lock: words } = useWords();
  const isFair = lock.kind === 'fair-lock';
  const rest = lock.waiters.length - MOST_SHOWN;
  return (
    <WideBox label={words.waiterTable} className="plain-table">
      <table aria-label={words.waiters}>
        <thead>
          <tr>
            <th scope="col">{words.waiterColumn.waiter}</th>
            <th scope="col">{words.waiterColumn.waiting}</th>
            <th scope="col">{words.waiterColumn.since}</th>
            <th scope="col">{words.waiterColumn.attempts}</th>
            <th scope="col">{words.waiterColumn.state}</th>
            <th scope="col">{isFair ? words.waiterColumn.keepsPlace : words.waiterColumn.asksAgain}</th>
          </tr>
        </thead>
        <tbody>
          {lock.waiters.slice(0, MOST_SHOWN).map((waiter) => (
            <tr key={`${waiter.id} ${waiter.mode}`} className={waiter.presumedGone ? 'is-presumed-gone' : ''}>
              <td>
                {waiter.position !== null && <span className="quiet">{waiter.position}. </span>}
                <Person lockId={lock.id} {...waiter} most={48} />
                {waiter.mode !== 'exclusive' && <span className="quiet"> {words.toMode(waiter.mode)}</span>}
              </td>
              <td>
                <WaitLength source={lock.source} since={waiter.since} />
              </td>
              <td>
                <Moment at={waiter.since} />
              </td>
              <td>{waiter.attempts}</td>
              <td>
                <WaiterState waiter={waiter} kind={lock.kind} />
              </td>
              <td>
                {waiter.deadline === null ? (
                  '–'
                ) : (
                  <TimeLeft source={lock.source} until={waiter.deadline} say={isFair ? words.keepsFor : words.asksIn} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className="quiet">{common.andMore(rest)}</p>}
    </WideBox>
  );
}

function WaiterState({ waiter, kind }: { waiter: Waiter; kind: Lock['kind'] }) {
  const words = useWords().lock;
  const text = waiterText(waiter, words, kind);
  if (waiter.presumedGone) {
    return (
      <span className="certainty is-inferred" title={words.presumedGoneMeaning}>
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
  const now = useShownNow(source);
  return now === null ? '–' : ageText(Math.max(0, (now - redisTime(since)) / 1000));
}

function TimeLeft({ source, until, say }: { source: string; until: number; say: (length: string) => string }) {
  const now = useShownNow(source);
  return now === null ? '–' : say(countdownText((redisTime(until) - now) / 1000));
}

import type { PersonInDump } from '../../shared/wire/dumps.ts';
import { splitHolder } from '../../shared/wire/person-text.ts';
import type { ShownThread } from '../data/queries/thread-dumps.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/**
 * A hold or wait that began later than this before the dump, in µs, may be younger than the dump: clocks may differ.
 */
const CLOCK_TOLERANCE_MICROS = 10_000_000;

/**
 * What a thread dump shows about a holder or waiter: its thread's name, state and stack, or that the thread is not in
 * the dump.
 */
export function ThreadInDump({ shown: { dump, person }, since }: { shown: ShownThread; since: number | null }) {
  const { dumps: texts } = useWords();
  const { takenAt, takenAtBy } = dump;
  const isKnown = takenAt !== null && takenAtBy !== 'assumed';
  const isLater = takenAt !== null && since !== null && since > takenAt - CLOCK_TOLERANCE_MICROS;
  const mayBeYounger = person.found !== 'no-id' && (isLater || !isKnown);
  const id = splitHolder(person.holder).thread ?? '';
  return (
    <div className="thread-in-dump">
      {person.thread ? (
        <Thread thread={person.thread} />
      ) : (
        person.found !== 'thread' && <b>{texts.missing[person.found](id)}</b>
      )}{' '}
      <span className="quiet">{texts.at(takenAt === null ? null : secondsText(takenAt), isKnown)}</span>
      {person.thread && <Stack thread={person.thread} />}
      {person.found !== 'thread' && (
        <p className="quiet">{mayBeYounger ? texts.younger : texts.missingMeaning[person.found]}</p>
      )}
      {isLater && <p className="quiet">{texts.later}</p>}
    </div>
  );
}

type Shown = NonNullable<PersonInDump['thread']>;

function Thread({ thread: { name, state, isVirtual } }: { thread: Shown }) {
  const { dumps: texts } = useWords();
  return (
    <>
      <b>{name || texts.noName}</b> {isVirtual && <span className="quiet">{texts.virtual} </span>}
      {state !== null && <code>{state}</code>}
    </>
  );
}

function Stack({ thread: { stack, moreFrames, ownFrame, waitsFor } }: { thread: Shown }) {
  const { dumps: texts } = useWords();
  return (
    <>
      {waitsFor && <p>{texts.blocked(waitsFor.className, texts.owner(waitsFor.ownerId, waitsFor.ownerName))}</p>}
      {ownFrame !== null && (
        <p>
          <code>{ownFrame}</code>
        </p>
      )}
      {stack.length > 0 && (
        <details>
          <summary>{texts.stack(stack.length + moreFrames)}</summary>
          <pre className="thread-stack">
            {stack.join('\n')}
            {moreFrames > 0 && `\n${texts.moreFrames(moreFrames)}`}
          </pre>
        </details>
      )}
    </>
  );
}

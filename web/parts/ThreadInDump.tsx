import type { PersonInDump } from '../../shared/wire/dumps.ts';
import { splitHolder } from '../../shared/wire/person-text.ts';
import type { ShownThread } from '../data/queries/thread-dumps.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** As much earlier than the dump as a hold or wait must have begun, in µs: the clocks may differ. */
const CLOCKS = 10_000_000;

/** What a thread dump shows about a holder or waiter: its thread's name, state and stack, or that it is not in it. */
export function ThreadInDump({ shown: { dump, person }, since }: { shown: ShownThread; since: number | null }) {
  const { dumps: said } = useWords();
  const { takenAt } = dump;
  const isLater = takenAt !== null && since !== null && since > takenAt - CLOCKS;
  const mayBeYounger = person.found !== 'no-id' && (isLater || takenAt === null);
  const id = splitHolder(person.holder).thread ?? '';
  return (
    <div className="thread-in-dump">
      {person.thread ? (
        <Thread thread={person.thread} />
      ) : (
        person.found !== 'thread' && <b>{said.missing[person.found](id)}</b>
      )}{' '}
      <span className="quiet">{said.at(takenAt === null ? null : secondsText(takenAt))}</span>
      {person.thread && <Stack thread={person.thread} />}
      {person.found !== 'thread' && (
        <p className="quiet">{mayBeYounger ? said.younger : said.missingMeaning[person.found]}</p>
      )}
      {isLater && <p className="quiet">{said.later}</p>}
    </div>
  );
}

type Shown = NonNullable<PersonInDump['thread']>;

function Thread({ thread: { name, state, isVirtual } }: { thread: Shown }) {
  const { dumps: said } = useWords();
  return (
    <>
      <b>{name || said.noName}</b> {isVirtual && <span className="quiet">{said.virtual} </span>}
      {state !== null && <code>{state}</code>}
    </>
  );
}

function Stack({ thread: { stack, moreFrames, ownFrame, waitsFor } }: { thread: Shown }) {
  const { dumps: said } = useWords();
  return (
    <>
      {waitsFor && <p>{said.blocked(waitsFor.className, said.owner(waitsFor.ownerId, waitsFor.ownerName))}</p>}
      {ownFrame !== null && (
        <p>
          <code>{ownFrame}</code>
        </p>
      )}
      {stack.length > 0 && (
        <details>
          <summary>{said.stack(stack.length + moreFrames)}</summary>
          <pre className="thread-stack">
            {stack.join('\n')}
            {moreFrames > 0 && `\n${said.moreFrames(moreFrames)}`}
          </pre>
        </details>
      )}
    </>
  );
}

import type { ClockView, SubscriptionsView } from '../../shared/wire/clients.ts';
import { Moment } from '../lock/HolderCard.tsx';
import { LockName } from '../parts/LockName.tsx';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { durationText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

type Of = { source: string };

/**
 * Pairs of a limit and a step, in ms: `durationText` rounds a length below the limit to this step. Longer lengths are
 * rounded to hours.
 */
const SHOWN_STEPS = [
  [9995, 10],
  [99_950, 100],
  [3_600_000, 1000],
  [86_400_000, 60_000],
] as const;

/** The channels of locks that a client is subscribed to, as far as they were seen. */
export function ClientSubscriptions({ subscriptions, source }: Of & { subscriptions: SubscriptionsView }) {
  const { clients } = useWords();
  const { subscriptions: texts, column } = clients;
  const { from, unseen, channels, more = 0 } = subscriptions;
  return (
    <section className="client-part" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {channels.length > 0 && (
        <PlainTable
          label={texts.title}
          boxLabel={texts.title}
          heads={[column.lock, texts.channel, column.since]}
          more={more}
        >
          {channels.map(({ id, db, lock, channel, since, mayHaveEnded }) => (
            <tr key={`${id} ${channel}`}>
              <td>
                <LockName lock={{ db, lock, source }} />
              </td>
              <td>
                <code>
                  <NameText text={channel} most={90} />
                </code>
              </td>
              <td>
                <Moment at={since} />
                {mayHaveEnded && <span className="quiet"> {texts.mayHaveEnded}</span>}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      <p className="quiet">{seenText({ unseen, from, isEmpty: channels.length === 0 }, texts)}</p>
    </section>
  );
}

type Seen = Pick<SubscriptionsView, 'unseen' | 'from'> & { isEmpty: boolean };

function seenText({ unseen, from, isEmpty }: Seen, texts: Words['clients']['subscriptions']): string {
  if (unseen !== null) return texts.unseen[unseen];
  return isEmpty ? texts.none(secondsText(from)) : texts.since(secondsText(from));
}

/** The difference between a client's clock and Redis's clock, from the client's newest script of a fair lock. */
export function ClientClock({ clock: { measure, from }, source }: Of & { clock: ClockView }) {
  const { clock: texts } = useWords().clients;
  if (measure === null) {
    return (
      <>
        {texts.none} <span className="quiet">({texts.since(secondsText(from))})</span>
      </>
    );
  }
  const { aheadMs, at, db, lock } = measure;
  return (
    <>
      {clockText(aheadMs, texts)}{' '}
      <span className="quiet">
        {texts.measured} <Moment at={at} />, <LockName lock={{ db, lock, source }} />. {texts.way}
      </span>
    </>
  );
}

/** The measured difference: the true one is not known, because the script was on its way for some time. */
export function clockText(aheadMs: number | null, texts: Words['clients']['clock']): string {
  if (aheadMs === null) return texts.near;
  return aheadMs > 0
    ? texts.ahead(durationText(roundedTo(aheadMs, Math.floor)))
    : texts.behind(durationText(roundedTo(-aheadMs, Math.ceil)));
}

/** Rounds a length of 1 s or more to the step that `durationText` shows, down or up, so that a bound stays true. */
function roundedTo(ms: number, round: (steps: number) => number): number {
  const [, step = 3_600_000] = SHOWN_STEPS.find(([below]) => ms < below) ?? [];
  return round(ms / step) * step;
}

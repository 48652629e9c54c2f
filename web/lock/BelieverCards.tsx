import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Believer, Lock } from '../../shared/wire/locks/lock.ts';
import { useLive } from '../data/live/use-live.ts';
import { Fact } from '../parts/Fact.tsx';
import { Person, PresenceMark } from '../parts/Person.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useBelievers, useLosses } from '../verdicts/believers.ts';
import { whoOf } from '../verdicts/insight-texts.ts';
import { useWords } from '../words/language.ts';
import { GoneSince, Moment } from './HolderCard.tsx';

/** Maximum number of cards. */
const MOST_CARDS = 10;

/** Cards of clients that lost their hold in a failover but still think they have it. They are not holders. */
export function BelieverCards({ lock }: { lock: Lock }) {
  return lock.believers === undefined ? null : <Believers lock={lock} />;
}

function Believers({ lock }: { lock: Lock }) {
  const { servers } = useWords();
  const believers = useBelievers(lock);
  const losses = useLosses(lock);
  if (believers.length === 0) return null;
  return (
    <section aria-label={servers.believers} className="holder-cards">
      <BothNotice losses={losses} />
      {believers.slice(0, MOST_CARDS).map((believer) => (
        <BelieverCard
          key={`${believer.id} ${believer.mode}`}
          lock={lock}
          believer={believer}
          isLoss={losses.some(({ values }) => values.holder === believer.id)}
        />
      ))}
    </section>
  );
}

/** Shown if another thread holds the lock that a believer thinks it holds. */
function BothNotice({ losses }: { losses: readonly WireInsight[] }) {
  const { servers } = useWords();
  const who = whoOf(useLive((state) => state.names));
  const both = losses.find(({ values: { heldBy, holder } }) => heldBy !== null && heldBy !== holder)?.values;
  if (typeof both?.heldBy !== 'string' || typeof both.holder !== 'string') return null;
  return (
    <Notice tone="problem" title={servers.both(who(both.heldBy).slice(0, 80), who(both.holder).slice(0, 80))}>
      {servers.bothHint}
    </Notice>
  );
}

function BelieverCard({ lock, believer, isLoss }: { lock: Lock; believer: Believer; isLoss: boolean }) {
  const { lock: words, lockPage, servers } = useWords();
  return (
    <article className="card holder-card is-believer">
      <header>
        <h2>
          <Person lockId={lock.id} {...believer} most={64} />
        </h2>
        <PresenceMark presence={believer.presence} isWordy />
        {isLoss && <b>{servers.believes}</b>}
      </header>
      {believer.presence === 'gone' && (
        <p className="orphan-note">
          <GoneSince {...believer} />
        </p>
      )}
      <dl className="facts">
        <Fact name={servers.heldSince}>
          {believer.since === null ? words.sinceBefore : <Moment at={believer.since} />}
        </Fact>
        <Fact name={servers.lostAt}>
          <Moment at={believer.lostAt} />
        </Fact>
        <Fact name={servers.until}>
          {believer.until === null ? servers.untilUnknown : <Moment at={believer.until} />}
        </Fact>
        <Fact name={lockPage.fact.id}>
          <code>{believer.id.slice(0, 200)}</code>
        </Fact>
      </dl>
    </article>
  );
}

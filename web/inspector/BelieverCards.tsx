import { textsOf } from '../../shared/insights/words.ts';
import type { Believer, Lock } from '../../shared/wire/lock.ts';
import { Notice } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { useBelievers, useLosses } from './believers.ts';
import { Fact } from './Fact.tsx';
import { GoneSince, Moment } from './HolderCard.tsx';
import { Person, PresenceMark } from './Person.tsx';
import { sayOf } from './verdicts.ts';

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
      <BothNotice lock={lock} losses={losses} />
      {believers.slice(0, MOST_CARDS).map((believer) => (
        <BelieverCard
          key={`${believer.id} ${believer.mode}`}
          lock={lock}
          believer={believer}
          loss={losses.find(({ values }) => values.holder === believer.id)}
        />
      ))}
    </section>
  );
}

type Loss = ReturnType<typeof useLosses>[number];

/** Shown if another thread holds the lock that a believer thinks it holds. */
function BothNotice({ lock, losses }: { lock: Lock; losses: readonly Loss[] }) {
  const { servers } = useWords();
  const { who } = sayOf(lock);
  const values = losses.find(({ values: { heldBy, holder } }) => heldBy !== null && heldBy !== holder)?.values;
  if (values?.heldBy == null) return null;
  return (
    <Notice tone="problem" title={servers.both(who(values.heldBy).slice(0, 80), who(values.holder).slice(0, 80))}>
      {servers.bothHint}
    </Notice>
  );
}

function BelieverCard({ lock, believer, loss }: { lock: Lock; believer: Believer; loss: Loss | undefined }) {
  const { insights, lock: words, servers } = useWords();
  const texts = loss && textsOf(insights, loss, sayOf(lock));
  return (
    <article className="card holder-card is-believer">
      <header>
        <h2>
          <Person lockId={lock.id} {...believer} most={64} />
        </h2>
        <PresenceMark presence={believer.presence} isWordy />
        {loss && <b>{servers.believes}</b>}
      </header>
      {believer.presence === 'gone' && (
        <p className="orphan-note">
          <GoneSince {...believer} />
        </p>
      )}
      {texts && (
        <p className="orphan-note">
          {texts.explanation} {texts.advice}
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
        <Fact name={words.fact.id}>
          <code>{believer.id.slice(0, 200)}</code>
        </Fact>
      </dl>
    </article>
  );
}

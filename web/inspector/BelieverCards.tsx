import type { Believer, Lock } from '../../shared/wire/lock.ts';
import { Notice } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { useBelievers } from './BelieverMark.tsx';
import { Fact, GoneSince, Moment } from './HolderCard.tsx';
import { shortClient } from './lock-words.ts';
import { Person, PresenceMark } from './Person.tsx';

/** Maximum number of cards. */
const MOST_CARDS = 10;

/** Cards of clients that lost their hold in a failover but still think they have it. They are not holders. */
export function BelieverCards({ lock }: { lock: Lock }) {
  return lock.believers === undefined ? null : <Believers lock={lock} />;
}

function Believers({ lock }: { lock: Lock }) {
  const { servers } = useWords();
  const believers = useBelievers(lock);
  if (believers.length === 0) return null;
  return (
    <section aria-label={servers.believers} className="holder-cards">
      <BothNotice lock={lock} believers={believers} />
      {believers.slice(0, MOST_CARDS).map((believer) => (
        <BelieverCard key={`${believer.id} ${believer.mode}`} lock={lock} believer={believer} />
      ))}
    </section>
  );
}

function BothNotice({ lock, believers }: { lock: Lock; believers: readonly Believer[] }) {
  const { servers } = useWords();
  const [holder] = lock.holders;
  const believer = believers.find(({ id }) => id !== holder?.id);
  if (!holder || !believer) return null;
  return (
    <Notice tone="problem" title={servers.both(nameOf(holder), nameOf(believer))}>
      {servers.bothHint}
    </Notice>
  );
}

function nameOf({ client, thread, name }: Pick<Believer, 'client' | 'thread' | 'name'>): string {
  return `${name ?? shortClient(client)}${thread === null ? '' : `:${thread}`}`.slice(0, 80);
}

function BelieverCard({ lock, believer }: { lock: Lock; believer: Believer }) {
  const { lock: words, servers } = useWords();
  return (
    <article className="card holder-card is-believer">
      <header>
        <h2>
          <Person lockId={lock.id} {...believer} most={64} />
        </h2>
        <PresenceMark presence={believer.presence} isWordy />
        <b>{servers.believes}</b>
      </header>
      {believer.presence === 'gone' && (
        <p className="orphan-note">
          <GoneSince {...believer} />
        </p>
      )}
      <p className="orphan-note">{servers.believesWhy}</p>
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

import type { GroupMember, LockGroup } from '../../shared/spans/group-from-events.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useCursor } from '../cursor/cursor.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useLive } from '../data/live/use-live.ts';
import { useGroup } from '../data/queries/use-group.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { Person } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { EVENTS } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** Panels for the multi locks and RedLocks that holders and waiters of this lock hold or want, five at most. */
export function GroupPanels({ lock }: { lock: Lock }) {
  const people = [...lock.holders, ...lock.waiters].filter(({ group }) => group !== undefined);
  const ids = [...new Set(people.map(({ group }) => group ?? ''))].slice(0, MOST_GROUPS);
  return ids.map((id) => {
    const whose = people.find(({ group }) => group === id);
    return <GroupPanel key={id} id={id} lock={lock} holder={whose?.id ?? ''} name={whose?.name ?? null} />;
  });
}

/** Maximum number of panels. Hundreds of waiters may each have their own multi lock. */
const MOST_GROUPS = 5;

type GroupPanelProps = { id: string; lock: Lock; holder: string; name: string | null };

function GroupPanel({ id, lock, holder, name }: GroupPanelProps) {
  const { groups: words } = useWords();
  const cursor = useCursor();
  const group = useGroup(id, cursor.mode === 'paused' ? cursor.at : null);
  if (!group) return null;
  const place = group.members.findIndex((member) => isSame(member, lock)) + 1;
  const title = words.member(place, group.members.length, group.isRedLock);
  return (
    <section className="panel group-panel" aria-label={title}>
      <h2>
        {title}{' '}
        <span className="quiet">
          <Person lockId={lock.id} id={holder} name={name} most={48} />
          {group.round > 1 && ` · ${words.round(group.round)}`}
        </span>
        <span className="is-right" title={words.inferred}>
          <CertaintyMark certainty="inferred" />
        </span>
      </h2>
      <ol className="group-members">
        {group.members.map((member) => (
          <Member key={`${member.source}/${member.db}/${member.name}`} member={member} group={group} lock={lock} />
        ))}
        {group.isRedLock && <Unwatched group={group} name={lock.name} />}
      </ol>
      <p className="group-note">
        {group.isRedLock && group.end === undefined && <Majority group={group} lock={lock} />}
        {words.inferred} <Link to={{ ...EVENTS, group: id }}>{words.events}</Link>
      </p>
    </section>
  );
}

function Member({ member, group, lock }: { member: GroupMember; group: LockGroup; lock: Lock }) {
  const { groups: words } = useWords();
  const sources = useLive((state) => state.sources);
  const source = sources.find(({ id }) => id === member.source);
  const isWatched = source === undefined || source.status === 'observing';
  const isElsewhere = group.members.some((other) => other.source !== member.source);
  const text = <NameText text={member.name} most={60} isOneLine />;
  return (
    <li className={isSame(member, lock) ? 'is-this' : ''}>
      <i className={`member-sign is-${member.state}`} aria-hidden="true" />
      {isSame(member, lock) ? <b>{text}</b> : <Link to={lockNow(member)}>{text}</Link>}
      {isElsewhere && <span className="where">{member.source}</span>}
      <span className="member-state">{words.state[member.state]}</span>
      {isSame(member, lock) && <span className="quiet">{words.thisOne}</span>}
      {!isWatched && <span className="member-unseen">{words.notWatched(member.source)}</span>}
    </li>
  );
}

/** Rows for sources that are not watched and may be part of the RedLock. */
function Unwatched({ group, name }: { group: LockGroup; name: string }) {
  const { groups: words } = useWords();
  const sources = useLive((state) => state.sources);
  const unseen = sources.filter(
    ({ id, status }) => status !== 'observing' && group.members.every(({ source }) => source !== id),
  );
  return unseen.map(({ id }) => (
    <li key={id} className="is-unseen">
      <i className="member-sign is-never-held" aria-hidden="true" />
      <NameText text={name} most={60} isOneLine />
      <span className="member-unseen">{words.notWatched(id)}</span>
    </li>
  ));
}

/**
 * Shows whether a RedLock is held on a majority of its servers. Redis does not report their number. The number of
 * sources that know the lock or are not watched is used instead, or the number of members if that is larger.
 */
function Majority({ group, lock }: { group: LockGroup; lock: Lock }) {
  const { groups: words } = useWords();
  const known = useLive(
    ({ sources, locks }) =>
      sources.filter(({ id, status }) => status !== 'observing' || locks.has(`${id}/${lock.db}/${lock.name}`)).length,
  );
  const servers = Math.max(known, group.members.length);
  const held = group.members.filter(({ state }) => state === 'held').length;
  return <b>{`${held * 2 > servers ? words.majority(held, servers) : words.noMajority(held, servers)}. `}</b>;
}

function isSame(member: GroupMember, lock: Pick<Lock, 'name' | 'source' | 'db'>): boolean {
  return member.name === lock.name && member.source === lock.source && member.db === lock.db;
}

import type { LockEvent } from '../../../shared/events/event.ts';
import { wantedBy } from '../../../shared/insights/attention.ts';
import type { WireInsight } from '../../../shared/wire/insights/insight.ts';
import { insightsAbout } from '../../../shared/wire/insights/insights-about.ts';
import type { Holder, Lock, Waiter } from '../../../shared/wire/locks/lock.ts';
import {
  endOfHolder,
  type HiddenWaiters,
  hasMoreWaiters,
  holderCount,
  inQueueOrder,
  isFound,
  isLate,
  isOlder,
  waiterCount,
} from '../../../shared/wire/locks/lock-facts.ts';
import { whoseEvent } from '../../../shared/wire/locks/name-parts.ts';
import { personText, splitHolder } from '../../../shared/wire/person-text.ts';
import { linesOfInsight } from '../../check/check-report.ts';
import { printableInCell } from '../../cli/printable.ts';
import { lengthText, millisText, timeText } from '../../cli/text/lengths.ts';
import { type Line, type Look, line } from '../../cli/text/line.ts';
import { wrapped } from '../../cli/text/width.ts';
import { isDated, nowOf, type Sight, sourceOf, whyHidden } from '../sight.ts';
import type { Opened } from '../view.ts';
import { ageText, countedText, leaseCell, whoText } from './lock-cells.ts';

const MOST_PEOPLE = 200;

/** The opened verdict, and the opened lock: verdicts about it, holders, waiters in order, and newest events. */
export function pageOf({ lockId, verdictId }: Opened, sight: Sight, width: number): Line[] {
  const { insights } = sight.verdicts;
  const verdict = insights.find(({ id }) => id === verdictId);
  const ended = verdictId !== null && !verdict ? [line('This verdict is over, or no longer known.'), line()] : [];
  const opened = sight.opened?.lock.id === lockId ? sight.opened : null;
  if (opened) {
    const about = insightsAbout(insights, opened.lock);
    const others = about.filter(({ id }) => id !== verdictId);
    const verdicts = verdict ? [verdict, ...others] : others;
    return [
      ...ended,
      ...verdicts.flatMap((each) => verdictLines(each, sight, width)),
      ...lockLines(opened, sight, width),
    ];
  }
  const gone = lockId === null ? [] : [line('This lock is not in memory. It may have been free for long.')];
  return [...ended, ...(verdict ? verdictLines(verdict, sight, width) : []), ...gone];
}

function verdictLines(verdict: WireInsight, sight: Sight, width: number): Line[] {
  const now = sourceOf(sight, verdict.source)?.now ?? sight.at;
  const [first = '', ...rest] = linesOfInsight(verdict, now);
  const look: Look = verdict.severity === 'critical' ? 'bad' : verdict.severity === 'warning' ? 'warn' : 'strong';
  return [...block(first, width, look), ...rest.flatMap((text) => block(text, width)), line()];
}

function lockLines({ lock, events }: NonNullable<Sight['opened']>, sight: Sight, width: number): Line[] {
  const now = nowOf(sight, lock);
  const names = new Map([...lock.holders, ...lock.waiters].map(({ client, name }) => [client, name]));
  const head = (text: string) => [line(), ...block(text, width, 'strong')];
  return [
    ...block(lock.name === '' ? '(empty name)' : lock.name, width, 'strong'),
    ...factsOf(lock, sight, now).flatMap((text) => block(`  ${text}`, width)),
    ...head(`Holders: ${holderCount(lock)}`),
    ...lock.holders
      .slice(0, MOST_PEOPLE)
      .flatMap((holder) => holderLines(lock, holder, { now, width, isOld: isDated(sight, lock) })),
    ...moreLines(holderCount(lock) - Math.min(lock.holders.length, MOST_PEOPLE)),
    ...believerLines(lock, width),
    ...head(waitersHead(lock, sight)),
    ...inQueueOrder(lock.waiters)
      .slice(0, MOST_PEOPLE)
      .flatMap((waiter, index) => block(`  ${waiterText(lock, waiter, index, now)}`, width)),
    ...moreLines(waiterCount(lock) - Math.min(lock.waiters.length, MOST_PEOPLE)),
    ...head('Newest events'),
    ...(events.length === 0 ? [line('  None in memory.')] : []),
    ...[...events].reverse().flatMap((event) => block(`  ${eventText(event, names)}`, width)),
  ];
}

/** What is known about a lock, a sentence or a few words each. */
function factsOf(lock: Lock, sight: Sight, now: number): string[] {
  const {
    kind,
    kindKnown,
    library,
    clientVersion,
    source,
    db,
    node,
    slot,
    lease,
    fencingToken,
    certainty,
    unread,
    assumedSince,
  } = lock;
  const kindText = kindKnown === false ? `${kind} (its kind is not certain)` : kind;
  const place = [source, `database ${db}`, ...(node === undefined ? [] : [node])];
  if (slot !== undefined) place.push(`slot ${slot}`);
  const counted = countedText(lock);
  const since = lock.unwatchedSince ?? sourceOf(sight, source)?.unwatchedSince ?? null;
  return [
    ...(since === null ? [] : [`NOT WATCHED since ${timeText(since)}: it is shown as it was then.`]),
    ...(unread === undefined
      ? []
      : [
          `${unread.reason === 'beside' ? 'WAITERS OR PERMITS NOT READ' : 'NOT READ'} since ${timeText(unread.since)}, because ${WHY_UNREAD[unread.reason]}.`,
        ]),
    `${kindText}, ${library}${clientVersion === undefined ? '' : ` ${clientVersion}`}, ${place.join(', ')}`,
    ...(counted === undefined ? [] : [`${counted}.`]),
    ...(lock.held && counted === undefined ? [leaseText(lease, now, isDated(sight, lock))] : []),
    ...(lock.held || counted !== undefined ? [] : [freeText(lock.lost)]),
    ...(fencingToken === undefined ? [] : [`Fencing token ${fencingToken}.`]),
    ...(assumedSince === undefined
      ? []
      : [
          `${lock.holders.length > 0 ? 'Its holder is' : 'This is'} only assumed since ${timeText(assumedSince)}: no event has shown it since.`,
        ]),
    ...(certainty === 'inferred' && assumedSince === undefined
      ? ['Inferred by Lockscope, not reported by Redis.']
      : []),
  ];
}

function freeText(lost: Lock['lost']): string {
  return lost === undefined ? 'Free.' : `Free: ${LOST[lost.by]} at ${timeText(lost.at)}.`;
}

const LOST: Readonly<Record<NonNullable<Lock['lost']>['by'], string>> = {
  deleted: 'its key was deleted',
  evicted: 'Redis evicted its key',
  flushed: 'its database was emptied',
};

function leaseText(lease: Lock['lease'], now: number, isOld: boolean): string {
  const { text } = leaseCell(lease, now);
  const length = lease.ms === null ? '' : ` of ${lengthText(lease.ms)}`;
  if (text === 'never') return 'Its lease never ends.';
  if (text === '?') return 'The end of its lease is not known.';
  if (text === 'over') return 'Its lease is over.';
  if (isOld) return `Its lease had ${text}${length} left then.`;
  return `Its lease ends in ${text}${length}, at ${timeText(lease.expiresAt ?? 0)}.`;
}

const WATCHDOGS: Readonly<Record<Holder['watchdog'], string>> = {
  on: 'watchdog on',
  off: 'watchdog off',
  unknown: 'no renewal seen yet',
};

const CLIENTS: Readonly<Record<Holder['presence'], string>> = {
  connected: 'client connected',
  idle: 'client connected, but idle',
  gone: 'CLIENT GONE',
  unknown: 'not known whether its client is connected',
};

type HolderOf = { now: number; width: number; isOld: boolean };

function holderLines(lock: Lock, holder: Holder, { now, width, isOld }: HolderOf): Line[] {
  const { id, since, firstSeenAt, holdCount, mode, watchdog, renewals, lastRenewedAt, presence, goneSince } = holder;
  const at = since ?? firstSeenAt;
  const held =
    at === undefined
      ? []
      : [
          `held ${ageText({ at, isAtLeast: since === null }, now)}${since === null ? ', first seen at' : ', since'} ${timeText(at)}`,
        ];
  const left = leaseCell({ ...lock.lease, expiresAt: endOfHolder(lock, holder) }, now).text;
  const last = lastRenewedAt === null ? '' : `, the last at ${timeText(lastRenewedAt)}`;
  const client = `${CLIENTS[presence]}${goneSince === null ? '' : ` since ${timeText(goneSince)}`}`;
  const facts = [
    `x${holdCount}${mode === 'exclusive' ? '' : ` ${mode}`}`,
    ...held,
    `lease ${left}`,
    mode === 'permit' || isOld ? [] : WATCHDOGS[watchdog],
    renewals > 0 ? `renewals ${renewals}${last}` : [],
    holder.address === undefined ? client : `${client}, ${holder.address}`,
    `id ${id}`,
  ].flat();
  return block(`  ${whoText(holder)}: ${facts.join('; ')}`, width, presence === 'gone' ? 'bad' : 'plain');
}

function believerLines({ believers = [] }: Lock, width: number): Line[] {
  return believers.flatMap((believer) =>
    block(`  ${whoText(believer)} lost it at ${timeText(believer.lostAt)}, and does not know.`, width, 'bad'),
  );
}

const WHY_UNREAD: Readonly<Record<NonNullable<Lock['unread']>['reason'], string>> = {
  fields: 'its key is too large',
  bytes: 'its key is too large',
  reply: 'the reply is too large',
  beside: 'their list is too large',
  rights: 'this user may not read its key',
};

const NOT_SEEN: Readonly<Record<HiddenWaiters, string>> = {
  level: 'They are seen at level monitor only (--observe monitor).',
  unread: 'Its key is not read.',
  listeners: 'Those from before are not seen, because listeners are not counted.',
  queue: 'The queue of a fair lock may not be read.',
  free: 'Connections listen although it is free: how it became free was not seen.',
  own: "Those of an application's own lock are only seen while they ask for it.",
};

function waitersHead(lock: Lock, sight: Sight): string {
  const count = waiterCount(lock);
  if (count > 0) return `Waiters: ${count}${hasMoreWaiters(lock, whyHidden(sight, lock)) ? ' or more' : ''}`;
  const listeners = wantedBy(lock);
  const listening = listeners > 0 ? ` Connections that listen for its release: ${listeners}.` : '';
  const why = whyHidden(sight, lock);
  if (why !== null) return `Waiters: ${why === 'level' ? 'hidden' : 'not known'}. ${NOT_SEEN[why]}${listening}`;
  return listeners > 0 ? `Waiters: no attempt seen yet.${listening}` : 'Waiters: 0';
}

function waiterText(lock: Lock, waiter: Waiter, index: number, now: number): string {
  const { id, since, attempts, asleep, position, mode, presumedGone } = waiter;
  const isUnseen = isFound(waiter);
  const facts = [
    `waits ${ageText({ at: since, isAtLeast: isOlder(waiter) }, now)}`,
    ...(mode === 'exclusive' ? [] : [`to ${mode}`]),
    isUnseen ? 'no attempt seen' : `attempts ${attempts}, ${asleep ? 'asleep' : 'asking'}`,
    ...(isLate(waiter, lock, now) ? ['not seen to ask again: late, or gone'] : []),
    ...(presumedGone ? ['PRESUMED GONE'] : []),
    `id ${id}`,
  ];
  return `${position ?? index + 1}. ${whoText(waiter)}: ${facts.join('; ')}`;
}

/** `10:41:03.250Z lock.acquired A 8f3a1c02:7, hold count 1, lease 30s` */
function eventText(event: LockEvent, names: ReadonlyMap<string, string | null>): string {
  const { type, at, certainty } = event;
  const id = whoseEvent(event);
  const { client, thread } = splitHolder(id ?? '');
  const who =
    id === undefined
      ? ''
      : ` ${event.letter ?? ''} ${personText(client, thread, names.get(client) ?? null)}`.replace('  ', ' ');
  const facts = [
    ...('holdCount' in event && event.holdCount !== undefined ? [`hold count ${event.holdCount}`] : []),
    ...('leaseMs' in event && typeof event.leaseMs === 'number' ? [`lease ${lengthText(event.leaseMs)}`] : []),
    ...('ttlMs' in event && typeof event.ttlMs === 'number' ? [`${lengthText(event.ttlMs)} left`] : []),
    ...('incident' in event ? [event.incident] : []),
    ...('reason' in event && event.reason !== undefined ? [event.reason] : []),
    ...(certainty === 'inferred' ? ['inferred'] : []),
  ];
  return [`${millisText(at)} ${type}${who}`, ...facts].join(', ');
}

function moreLines(count: number): Line[] {
  return count > 0 ? [line(`  and ${count} more`)] : [];
}

/** A text in lines; the later ones are indented further than the first. */
function block(text: string, width: number, look: Look = 'plain'): Line[] {
  const indent = ' '.repeat((/^ */.exec(text)?.[0].length ?? 0) + 4);
  return wrapped(printableInCell(text), width, indent).map((each) => line({ text: each, look }));
}

import { assertNever } from '../../shared/base/assert-never.ts';
import { type Millis, millisBetween } from '../../shared/base/time.ts';
import type { DetailOf, LockEvent } from '../../shared/events/event.ts';
import type { ClientDetail } from '../../shared/events/types/client-event.ts';
import type { FoundHolder, KeyContent } from '../../shared/events/types/watch-event.ts';
import { shortClient } from '../../shared/wire/person-text.ts';
import { durationText, secondsText } from '../ui/time-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import type { Words } from '../words/words.ts';
import { counterFacts } from './counter-facts.ts';
import { serverFacts } from './server-facts.ts';

/** The details of an event as one text. */
export function detailFromEvent(event: LockEvent, words: Words): string {
  return words.events.facts([...factsOf(event, words), ...groupFacts(event, words)].filter((fact) => fact !== ''));
}

/** The role of an event in its multi lock or RedLock; for a refused group lock, the requested values. */
function groupFacts(event: LockEvent, { groups }: Words): string[] {
  const { groupStep, groupEnd, groupRound } = event;
  return [
    groupStep === undefined ? '' : groups.step[groupStep],
    groupEnd === undefined ? '' : groups.end[groupEnd],
    groupRound === undefined ? '' : groups.round(groupRound),
    event.type === 'lock.refused' && event.wanted !== undefined ? groups.wanted(event.wanted.join(', ')) : '',
  ];
}

function factsOf(event: LockEvent, words: Words): string[] {
  const { events } = words;
  const length = (ms: Millis) => durationText(ms, words.time);
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return [
        events.mode(event.mode),
        event.holdCount !== undefined && event.holdCount > 1 ? events.holds(event.holdCount) : '',
        leaseText(event.leaseMs, words),
        wokenText(event.wokenBy, words),
        event.waitedMs === undefined ? '' : events.waited(length(event.waitedMs), event.waitedAtLeast === true),
        event.fencingToken === undefined ? '' : events.fencingToken(String(event.fencingToken)),
      ];
    case 'lock.refused':
      return [
        reportedText(event, words),
        events.mode(event.mode),
        event.heldFor === undefined ? '' : events.heldFor[event.heldFor],
        event.attempt > 1 ? events.attempt(event.attempt) : '',
        event.asleep ? events.sleepsNow : '',
        wokenText(event.wokenBy, words),
      ];
    case 'lock.partially-released':
      return [
        event.holdCount === undefined ? events.stillHeld : events.stillHolds(event.holdCount),
        events.mode(event.mode),
        leaseText(event.leaseMs, words),
      ];
    case 'lock.released':
      return [endText(event, events), events.mode(event.mode), event.isDowngrade ? events.goesOnReading : ''];
    case 'unlock.refused':
      return [...refusalTexts(event, events), event.callerSawSuccess ? events.callerSawSuccess : ''];
    case 'unlock.unanswered':
      return [
        events.unanswered[event.outcome],
        event.times === undefined ? '' : events.unansweredTimes(event.times),
        event.repeat === undefined ? '' : events.repeat[event.repeat],
      ];
    case 'replicas.awaited':
      return [
        events.awaited(durationText(event.tookMs), event.replicas),
        event.limitMs > 0 && event.tookMs >= event.limitMs ? events.awaitedToLimit(durationText(event.limitMs)) : '',
      ];
    case 'unlock.latch-left':
      return [shortClient(event.client), events.latchesLeft(event.unlocks, event.keys)];
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed':
      return [
        event.command === undefined ? '' : events.by(event.command),
        event.late === undefined ? '' : events.byLate(shortClient(event.late)),
        events.lostBy(event.holders?.length ?? (event.holder === undefined ? 0 : 1)),
      ];
    case 'lease.renewed':
      return [
        event.expiresAt === null
          ? events.endless
          : event.leaseMs === undefined
            ? events.renewed
            : events.renewedTo(length(event.leaseMs)),
        events.mode(event.mode ?? 'exclusive'),
        event.cause === 'command' ? events.byPlainCommand : event.cause === undefined ? events.byUnknown : '',
        event.mode === 'read' ? events.timeoutKeys(keysOf(event)) : '',
        event.batch !== undefined && event.batch > 1 ? events.inBatch(event.batch) : '',
      ];
    case 'lease.shortened':
      return [
        event.leaseMs === undefined
          ? events.shortened
          : event.hadNoEnd
            ? events.leaseSetTo(length(event.leaseMs))
            : events.shortenedTo(length(event.leaseMs)),
        events.mode(event.mode ?? 'exclusive'),
        event.cause === 'command' ? events.byPlainCommand : '',
      ];
    case 'renewal.refused':
      return refusalTexts(event, events);
    case 'renewal.without-holder':
      return [events.withoutHolder, shortClient(event.client)];
    case 'renewal.not-run':
      return [events.notRun, events.mode(event.mode ?? 'exclusive')];
    case 'lease.expired':
      return [events.ranOut, events.mode(event.mode)];
    case 'waiter.subscribed':
      return [events.listens];
    case 'waiter.unsubscribed':
      return [events.listensNoMore];
    case 'waiter.queued':
      return [
        events.position(event.position),
        event.queueLength === undefined ? '' : events.queueLength(event.queueLength),
        event.deadline === null ? '' : events.atMost(length(millisBetween(event.at, event.deadline))),
      ];
    case 'waiter.dequeued':
      return [events.left[event.reason]];
    case 'wakeup.published':
      return [events.message(event.message)];
    case 'permits.set':
    case 'permits.acquired':
    case 'permits.refused':
    case 'permits.released':
    case 'permits.expired':
    case 'permits.renewed':
    case 'latch.set':
    case 'latch.counted-down':
    case 'latch.opened':
    case 'latch.deleted':
      return counterFacts(event, words);
    case 'failover':
      return [events.failover[event.how](event.from, event.to)];
    case 'lock.lost':
      return [events.lostIn[event.reason], events.mode(event.mode), events.believesStill];
    case 'lock.moved':
      return [event.to === undefined ? events.movedAway : events.movedTo(event.to), events.noneLost];
    case 'blind-spot.began':
      return [events.notWatching, words.problems.blind[event.reason]];
    case 'blind-spot.ended':
      return [events.notWatchedFor(length(millisBetween(event.from, event.at))), words.problems.blind[event.reason]];
    case 'lock.found':
      return [foundText(event, holdersText(event.holders, events), events)];
    case 'lock.learned':
      return [
        event.kindBefore === undefined
          ? ''
          : events.learnedKind(words.lock.kind[event.kind], words.lock.kind[event.kindBefore]),
        event.fencingToken === undefined ? '' : events.fencingToken(event.fencingToken),
        events.mode(event.mode ?? 'exclusive'),
        event.holdCount === undefined ? '' : events.holds(event.holdCount),
        leaseText(event.expiresAt === null ? null : event.leaseMs, words),
      ];
    case 'drift.healed':
      return [
        events.believed(contentText(event.expected, events)),
        events.found(contentText(event.found, events)),
        event.cause === 'blind-spot' ? events.changedUnwatched : events.unexplained,
      ];
    case 'client.connected':
    case 'client.idle':
    case 'client.gone':
    case 'client.unknown':
      return clientFacts(event, words);
    case 'server.reported':
    case 'server.refused':
    case 'server.denied':
    case 'server.stood-still':
      return serverFacts(event, words);
    case 'insight.opened':
    case 'insight.closed':
      return [incidentTitle(event.incident, words), event.isUnknown ? words.events.isUnknown : ''];
    case 'insight.noted':
      return [event.isAcknowledged ? words.events.isAcknowledged : '', event.text, event.author ?? ''];
    default:
      return assertNever(event);
  }
}

/** The addresses of a client, its library and version, and how long it was idle or when it was last seen. */
function clientFacts(event: LockEvent & ClientDetail, { events: { client: say }, time }: Words): string[] {
  const { addresses, library, clientVersion, since } = event;
  const [first, ...others] = addresses;
  const address = first === undefined ? '' : others.length === 0 ? first : say.moreAddresses(first, others.length);
  const version = clientVersion === undefined ? '' : `${library} ${clientVersion}`;
  switch (event.type) {
    case 'client.connected':
      return [address === '' ? '' : say.connected(address), version];
    case 'client.idle':
      return [say.idle(durationText(millisBetween(since, event.at), time)), address];
    case 'client.gone':
      return [say.gone(secondsText(since)), address === '' ? '' : say.was(address)];
    case 'client.unknown':
      return [say.unknown(secondsText(since)), address === '' ? '' : say.was(address)];
  }
}

function leaseText(leaseMs: Millis | null | undefined, { events, time }: Words): string {
  if (leaseMs === undefined) return '';
  return leaseMs === null ? events.noLease : events.lease(durationText(leaseMs, time));
}

function reportedText({ reason, ttlMs }: { reason?: string; ttlMs: Millis | null }, { events, time }: Words): string {
  if (reason === 'error') return events.reportedError;
  if (reason === 'own-hold') return events.reportedOwnHold;
  return ttlMs === null ? events.reportedHeld : events.reportedLeft(durationText(ttlMs, time));
}

function wokenText(wokenBy: 'message' | 'own-timer' | undefined, { events }: Words): string {
  if (wokenBy === undefined) return '';
  return wokenBy === 'message' ? events.wokenByMessage : events.wokenByTimer;
}

const MOST_NAMED = 3;

function foundText(
  event: Extract<LockEvent, { type: 'lock.found' }>,
  holders: string,
  events: Words['events'],
): string {
  if (event.gapEndedAt === undefined) return event.isKept ? events.keptOn(holders) : events.heldSinceBefore(holders);
  return event.isKept ? events.heldThroughout(holders) : events.heldAgain(holders);
}

function holdersText(holders: readonly FoundHolder[], events: Words['events']): string {
  const shown = holders.slice(0, MOST_NAMED).map(({ holder, holdCount }) => events.holderCount(holder, holdCount));
  return events.holders(shown, holders.length - shown.length);
}

function contentText(content: KeyContent | null, events: Words['events']): string {
  if (content === null) return events.noLock;
  const queue = content.queue && events.inQueue(content.queue.length);
  const holders =
    content.holders.length === 0 && queue ? events.noLock : events.heldBy(holdersText(content.holders, events));
  return queue ? `${holders}, ${queue}` : holders;
}

/** Returns how many timeout keys of its holder a renewal extended. */
function keysOf({ holder, readTimeouts = [] }: Extract<LockEvent, { type: 'lease.renewed' }>): number {
  return readTimeouts.find((each) => each.holder === holder)?.ends.length ?? 0;
}

/** Why an unlock or a renewal was refused. A permit may be gone while others hold permits of the same semaphore. */
function refusalTexts(
  { reason, mode = 'exclusive' }: DetailOf<'unlock.refused'> | DetailOf<'renewal.refused'>,
  events: Words['events'],
): string[] {
  if (mode === 'permit' && reason === 'no-lock') return [events.noPermit];
  return [events.refusal[reason], events.mode(mode)];
}

/** What is known about the end of a hold: a release, a deletion that may be a release, or neither. */
function endText({ how, command }: DetailOf<'lock.released'>, events: Words['events']): string {
  if (how !== 'unknown') return events.countZero;
  return command === undefined ? events.endUnknown : events.keyDeleted(command);
}

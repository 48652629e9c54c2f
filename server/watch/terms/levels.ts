import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { FIELD_FLAGS, knowsFields } from '../../../shared/base/key-event-flags.ts';
import { CHANNEL_PATTERNS } from '../../../shared/events/names/names.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import { areNotificationsEnough, type Capabilities, hasExpiryEvents } from '../../redis/connection/capabilities.ts';

/** The events of a lock's key that level `events` needs. */
const KEY_EVENTS = [
  ...['hset', 'hincrby', 'hdel', 'del', 'unlink', 'expire', 'persist', 'expired', 'evicted'],
  ...[
    'rename_from',
    'rename_to',
    'move_from',
    'move_to',
    'copy_to',
    'restore',
    'set',
    'append',
    'setrange',
    'type_changed',
  ],
];
const COMPANION_KEYS = ['redisson_lock_queue:*', 'redisson_lock_timeout:*', 'redisson_lock_token:*'];

/**
 * The patterns to subscribe to. If this server sends key events by event (`E`), or if its flags are unknown, only the
 * events that the level needs are subscribed to. If it sends them only by key (`K`), all events of the keys in `globs`
 * are.
 */
export function patternsFor(level: ObserveLevel, capabilities: Capabilities, globs: readonly string[]): string[] {
  if (level === 'snapshot' || level === 'replication') return [];
  const flags = capabilities.notifications;
  const wanted = level === 'monitor' ? ['expired', 'evicted'] : KEY_EVENTS;
  const byEvent = wanted.map((event) => `__keyevent@*__:${event}`);
  const byKey = (globs.length > 0 ? globs : ['*']).map((glob) => `__keyspace@*__:${binaryFromText(glob)}`);
  const fields = level === 'events' ? fieldPatterns(capabilities, globs) : [];
  if (flags === null) return [...CHANNEL_PATTERNS, ...byEvent, ...fields];
  if (flags.includes('E')) {
    return [...CHANNEL_PATTERNS, ...byEvent, ...(level === 'events' ? besideKeys(flags) : []), ...fields];
  }
  if (flags.includes('K')) return [...CHANNEL_PATTERNS, ...byKey, ...fields];
  return [...CHANNEL_PATTERNS];
}

/** Whether a pattern of `patternsFor` is for field notifications. */
export function isOfFields(pattern: string): boolean {
  return pattern.startsWith('__subkey');
}

/** Changes of a lock's hash that Redis publishes with its fields. */
const FIELD_EVENTS = ['hset', 'hincrby', 'hdel'];

/**
 * Field notifications, if this server sends them. Without wake-up messages each change of a lock is read anyway. If the
 * setting may not be read, they are subscribed to: nothing arrives unless they are on.
 */
function fieldPatterns(capabilities: Capabilities, globs: readonly string[]): string[] {
  const { notifications: flags } = capabilities;
  if (!knowsFields(capabilities) || !hearsMessages(capabilities)) return [];
  if (flags !== null && !areNotificationsEnough(flags)) return [];
  const byEvent = FIELD_EVENTS.map((event) => `__subkeyevent@*__:${event}`);
  const byKey = (globs.length > 0 ? globs : ['*']).map((glob) => `__subkeyspace@*__:${binaryFromText(glob)}`);
  if (flags?.includes(FIELD_FLAGS.byKey) && (globs.length > 0 || !flags.includes(FIELD_FLAGS.byEvent))) return byKey;
  return flags === null || flags.includes(FIELD_FLAGS.byEvent) ? byEvent : [];
}

/** Companion keys are subscribed to by name: the events of all lists and sorted sets would be too many. */
function besideKeys(flags: string): string[] {
  return flags.includes('K') ? COMPANION_KEYS.map((glob) => `__keyspace@*__:${glob}`) : [];
}

/** How changes of keys are reported to us at this level. */
export function keyEventSource(level: ObserveLevel, capabilities: Capabilities): Source['keyEvents'] {
  const { notifications } = capabilities;
  if (level === 'monitor') return hasExpiryEvents(notifications) ? 'notifications' : 'off';
  if (level === 'snapshot') return 'off';
  if (level === 'replication') return 'replication';
  if (areNotificationsEnough(notifications)) return 'notifications';
  return capabilities.canTrack ? 'tracking' : 'off';
}

/** Whether release messages arrive from this server: not with sharded pub/sub, and not from a replica. */
export function hearsMessages({ isSharded, role }: Capabilities): boolean {
  return !isSharded && role === 'master';
}

/** What is known about a server, as far as it decides what cannot be seen. */
type Known = { readonly hearsMessages?: boolean; readonly areSettingsKnown?: boolean };

/** What cannot be seen at this level on this server. `keyEvents`: `undefined` while no server has answered. */
export function blindnessOf(
  level: ObserveLevel,
  keyEvents: Source['keyEvents'] | undefined,
  { hearsMessages = true, areSettingsKnown = true }: Known = {},
): Problem[] {
  const quiet = hearsMessages || level !== 'events' ? [] : [problem('unseen-wake-ups')];
  return [...ofLevel(level, keyEvents, areSettingsKnown ? {} : { isUnknown: true }), ...quiet];
}

function ofLevel(
  level: ObserveLevel,
  keyEvents: Source['keyEvents'] | undefined,
  settings: { isUnknown?: boolean },
): Problem[] {
  switch (level) {
    case 'monitor':
      return keyEvents === 'off' ? [problem('unseen-expiries', settings)] : [];
    case 'events': {
      const commands = [problem('unseen-attempts'), problem('unseen-senders'), problem('unseen-double-changes')];
      const always = [...commands, problem('unseen-other-forms')];
      if (keyEvents === undefined) return always;
      // Key events of plain numbers are not subscribed to: an application with counters would cause too many.
      if (keyEvents === 'notifications') return [...always, problem('unseen-numbers')];
      return [...always, problem(keyEvents === 'tracking' ? 'unseen-new-locks' : 'unseen-changes', settings)];
    }
    case 'replication':
      return [problem('unseen-attempts'), problem('unseen-senders')];
    case 'snapshot':
      return [problem('unseen-between'), problem('unseen-commands')];
  }
}

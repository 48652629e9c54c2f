import { advisedKeyEvents, FIELD_FLAGS, hasFields, isRedisSince, knowsFields } from '../../base/key-event-flags.ts';
import { type Finding, finding } from '../finding.ts';
import { type Readings, settingOf } from '../readings.ts';
import { grantOf, settingLine, unread, userLines } from '../remedy.ts';

const MOST_LIBRARIES = 20;

/** What Lockscope can see here, with this user. */
export function checkSight(readings: Readings): Finding[] {
  const { server, version } = readings;
  const read = [{ name: server, value: version }];
  return [
    keyEventsOf(readings),
    monitorOf(readings),
    rightsOf(readings),
    clientsOf(readings),
    finding('version', 'good', 'version', { server, version }, read),
  ];
}

function keyEventsOf(readings: Readings): Finding {
  const flags = settingOf(readings, 'notify-keyspace-events');
  if (flags === null) {
    const { config } = readings;
    const refused = { why: 'other', command: 'CONFIG GET', quote: '' } as const;
    return unread('key-events', readings, 'refused' in config ? config.refused : refused);
  }
  const read = [{ name: 'notify-keyspace-events', value: flags === '' ? '""' : flags }];
  const sendsFields = usesFields(readings) && hasFields(flags);
  const kept = sendsFields
    ? [...flags].filter((flag) => flag === FIELD_FLAGS.byKey || flag === FIELD_FLAGS.byEvent)
    : [];
  const fix = [settingLine(readings, 'notify-keyspace-events', advisedKeyEvents(readings) + kept.join(''))];
  const isEnough = /[KE]/.test(flags) && (flags.includes('A') || ['g', 'h', 'x'].every((flag) => flags.includes(flag)));
  if (!isEnough) {
    if (readings.canTrack) return finding('key-events', 'info', 'key-events-tracked', { flags }, read, fix);
    return finding('key-events', 'warning', 'key-events-missing', { flags }, read, fix);
  }
  if (flags.includes('K') && flags.includes('E')) {
    return finding('key-events', 'info', 'key-events-twice', { flags }, read, fix);
  }
  if (sendsFields) return finding('key-events', 'good', 'key-events-with-fields', { flags }, read);
  if (!usesFields(readings)) return finding('key-events', 'good', 'key-events', { flags }, read);
  const more = [settingLine(readings, 'notify-keyspace-events', flags + FIELD_FLAGS.byEvent)];
  return finding('key-events', 'info', 'key-events-without-fields', { flags }, read, more);
}

/**
 * Whether level `events` uses field notifications of this server. In a cluster and on a replica, each change is read
 * instead.
 */
function usesFields(readings: Readings): boolean {
  const isAlone = 'value' in readings.info && readings.info.value.get('redis_mode') !== 'cluster';
  return knowsFields(readings) && readings.role === 'master' && isAlone;
}

function monitorOf({ monitor, role, user }: Readings): Finding {
  if ('value' in monitor) return finding('monitor', 'good', 'monitor-allowed', {});
  if (role === 'replica') return finding('monitor', 'info', 'monitor-on-replica', {});
  const { refused } = monitor;
  const { why, quote } = refused;
  return finding('monitor', 'info', 'monitor-missing', { why, quote }, [], grantOf(user, refused));
}

function rightsOf(readings: Readings): Finding {
  const { mayWrite, user } = readings;
  const read = [{ name: 'user', value: user }];
  if ('refused' in mayWrite) return unread('rights', readings, mayWrite.refused, read);
  if (!mayWrite.value) return finding('rights', 'good', 'reads-only', { user }, read);
  return finding('rights', 'info', 'may-write', { user }, read, userLines());
}

function clientsOf(readings: Readings): Finding {
  const { clients, server } = readings;
  if ('refused' in clients) return unread('clients', readings, clients.refused);
  if ('tooMany' in clients.value) {
    const { tooMany, most } = clients.value;
    const read = [{ name: 'connected_clients', value: String(tooMany) }];
    return finding('clients', 'unknown', 'clients-too-many', { clients: tooMany, most }, read);
  }
  const { connections, named, libraries } = clients.value;
  const first = libraries.slice(0, MOST_LIBRARIES);
  const values = {
    ...{ connections, named, libraries: first.map(({ library }) => library), more: libraries.length - first.length },
    hasLibraries: libraries.length > 0 || server !== 'redis' || isRedisSince(readings, 7, 2),
  };
  const read = first.map(({ library, connections: count }) => ({ name: library, value: String(count) }));
  return finding('clients', 'info', 'clients-seen', values, read);
}

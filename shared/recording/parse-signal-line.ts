import { byName } from '../base/by-name.ts';
import { isObserveLevel } from '../base/observe-level.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type RedisTime, redisTime } from '../base/time.ts';
import { blindReasonOf } from '../signals/blind-reason.ts';
import type { ClientRow, KeyRead, UnheardClient } from '../signals/signal.ts';
import type { BadLineReason } from './bad-line.ts';
import type { RecordedSignal } from './format.ts';
import { serverFromJson } from './parse-server-signal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the signal in the JSON of a line, or its fault. Never throws. */
export function signalFromJson(json: unknown): Result<RecordedSignal, BadLineReason> {
  if (!isFields(json)) return fail('not-object');
  if (!isTime(json.at)) return fail('no-time');
  const signal = signalOf(json, redisTime(json.at));
  return signal ? ok(signal) : fail('not-signal');
}

function signalOf(json: Fields, at: RedisTime): RecordedSignal | undefined {
  if ('do' in json) return commandOf(json, at);
  if ('lua' in json) {
    return isWords(json.lua) && isCount(json.db)
      ? { kind: 'line', at, db: json.db, client: null, words: json.lua }
      : undefined;
  }
  if ('with' in json) return pushOf('inner-push', json.with, at, json.nextAt);
  if ('push' in json) return pushOf('push', json.push, at, json.nextAt);
  if ('read' in json) {
    const reads = listOf(json.read, readOf);
    return reads && { kind: 'bookmark', at, reads };
  }
  if ('clients' in json) {
    if (json.clients === null) return { kind: 'clients', at, clients: [], isUnavailable: true };
    const clients = listOf(json.clients, rowOf);
    if (json.before === undefined) return clients && { kind: 'clients', at, clients };
    const before = listBefore(json.before);
    const unheard = json.unheard === undefined ? [] : listOf(json.unheard, unheardClientFrom);
    const concluded = unheard && unheard.length > 0 ? { unheard } : undefined;
    return clients && before && unheard && { kind: 'clients', at, clients, before, ...concluded };
  }
  if ('server' in json) return serverFromJson(json.server, at);
  if ('note' in json) return noteOf(json.note, at);
  if ('blind' in json) {
    const { blind: phase, reason } = json;
    if ((phase !== 'began' && phase !== 'ended') || typeof reason !== 'string') return undefined;
    return { kind: 'blind-spot', at, phase, reason: blindReasonOf(reason) };
  }
  if ('failover' in json) {
    const { failover: how, from, to, replicatedUntil } = json;
    if ((how !== 'promoted' && how !== 'restarted') || typeof from !== 'string' || typeof to !== 'string')
      return undefined;
    const until = isTime(replicatedUntil) ? redisTime(replicatedUntil) : null;
    return { kind: 'failover', at, how, from, to, replicatedUntil: until };
  }
  if ('watch' in json) {
    const { watch: level, pushFirst, messages, clockBehind, ifEqual, lacks, same } = json;
    if (!isObserveLevel(level) || typeof pushFirst !== 'boolean') return undefined;
    const quiet = messages === false ? { hearsMessages: false as const } : undefined;
    const behind = isCount(clockBehind) ? { clockBehindMs: clockBehind } : undefined;
    const compares = ifEqual === true ? { hasIfEqual: true as const } : undefined;
    const unseen = isWords(lacks) ? { lacks } : undefined;
    const again = same === true ? { isSame: true as const } : undefined;
    return { kind: 'watch', at, level, isPushFirst: pushFirst, ...quiet, ...behind, ...compares, ...unseen, ...again };
  }
  if ('connection' in json) {
    const { connection: address, client, name, namedAt, behindProxy } = json;
    if (typeof address !== 'string' || !isTextOrNull(client) || !isTextOrNull(name)) return undefined;
    const named = typeof namedAt === 'number' ? { namedAt: redisTime(namedAt) } : undefined;
    const shared = behindProxy === true ? { isBehindProxy: true as const } : undefined;
    return { kind: 'connection', at, address, client, name, ...named, ...shared };
  }
  return json.time === 1 ? { kind: 'time', at } : undefined;
}

function commandOf({ db, from, do: words }: Fields, at: RedisTime): RecordedSignal | undefined {
  if (typeof from !== 'string' || !isWords(words) || words.length === 0 || !isCount(db)) return undefined;
  return { kind: 'line', at, db, client: from, words };
}

function pushOf(
  kind: 'push' | 'inner-push',
  pair: unknown,
  at: RedisTime,
  nextAt: unknown,
): RecordedSignal | undefined {
  if (!isWords(pair) || pair.length !== 2 || !(nextAt === undefined || isTime(nextAt))) return undefined;
  const [channel = '', message = ''] = pair;
  return { kind, at, ...(nextAt === undefined ? {} : { nextAt: redisTime(nextAt) }), channel, message };
}

function noteOf(json: unknown, at: RedisTime): RecordedSignal | undefined {
  if (!isFields(json)) return undefined;
  const { insight, db, lock, text, author, isAcknowledged } = json;
  if (typeof insight !== 'string' || typeof lock !== 'string' || typeof text !== 'string' || !isCount(db))
    return undefined;
  if (!isTextOrNull(author) || typeof isAcknowledged !== 'boolean') return undefined;
  return { kind: 'note', at, insight, db, lock, text, author, isAcknowledged };
}

function readOf(json: unknown): KeyRead | undefined {
  if (!isFields(json)) return undefined;
  const { db, name, type, fields, pttl, changed, flushed, nowhere, subscribers, channel, beside, movedTo } = json;
  if (!isCount(db) || typeof name !== 'string' || typeof type !== 'string' || !isFields(fields)) return undefined;
  if (!isNumber(pttl) || (subscribers !== undefined && !isCount(subscribers))) return undefined;
  if (channel !== undefined && typeof channel !== 'string') return undefined;
  if (beside !== undefined && !isListsOfWords(beside)) return undefined;
  if (movedTo !== undefined && typeof movedTo !== 'string') return undefined;
  const texts = Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.length !== Object.keys(fields).length) return undefined;
  return {
    db,
    name,
    type,
    fields: byName(texts),
    pttl,
    hasChanged: changed === true,
    ...(flushed === true || flushed === 'perhaps' ? { isFlushed: flushed } : {}),
    ...(nowhere === true ? { isNowhere: nowhere } : {}),
    subscribers: subscribers ?? null,
    ...(channel === undefined ? {} : { channel }),
    ...(beside === undefined ? {} : { companions: beside }),
    ...(movedTo === undefined ? {} : { movedTo }),
  };
}

function rowOf(json: unknown): ClientRow | undefined {
  if (!isFields(json)) return undefined;
  const { address, name, library = '', age, idle } = json;
  if (typeof address !== 'string' || typeof name !== 'string' || typeof library !== 'string') return undefined;
  return isNumber(age) && isNumber(idle) ? { address, name, library, ageSeconds: age, idleSeconds: idle } : undefined;
}

function unheardClientFrom(json: unknown): UnheardClient | undefined {
  if (!isFields(json)) return undefined;
  const { client, connections, since } = json;
  if (typeof client !== 'string' || !isCount(connections) || !isTime(since)) return undefined;
  return { client, connections, since: redisTime(since) };
}

function listBefore(json: unknown): { at: RedisTime; fresh: string[] } | undefined {
  if (!isFields(json) || !isTime(json.at) || !isWords(json.fresh)) return undefined;
  return { at: redisTime(json.at), fresh: json.fresh };
}

/** Returns all items, parsed; undefined if one of them cannot be read. */
function listOf<T>(json: unknown, readItem: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const items = json.map(readItem).filter((item) => item !== undefined);
  return items.length === json.length ? items : undefined;
}

function isFields(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function isWords(json: unknown): json is string[] {
  return Array.isArray(json) && json.every((word) => typeof word === 'string');
}

function isListsOfWords(json: unknown): json is Record<string, string[]> {
  return isFields(json) && Object.values(json).every(isWords);
}

function isTextOrNull(json: unknown): json is string | null {
  return json === null || typeof json === 'string';
}

function isNumber(json: unknown): json is number {
  return typeof json === 'number' && Number.isFinite(json);
}

function isCount(json: unknown): json is number {
  return isNumber(json) && Number.isInteger(json) && json >= 0;
}

function isTime(json: unknown): json is number {
  return isCount(json) && json <= Number.MAX_SAFE_INTEGER;
}

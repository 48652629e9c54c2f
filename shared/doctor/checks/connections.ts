import { type Finding, finding } from '../finding.ts';
import type { Matter } from '../finding-values.ts';
import { numberFrom, numberOf, type Readings, type Setting, settingOf } from '../readings.ts';
import { notReported, settingLine, unread } from '../remedy.ts';
import { observed } from './memory.ts';

/** Redis's default for pub/sub clients, and the least that a burst of wake-up messages needs. */
const USUAL_LIMIT = '32mb 8mb 60';
const SMALL_LIMIT_BYTES = 1024 * 1024;
/** Redisson sends a PING on idle connections every 30 s by default. */
const PING_SECONDS = 30;
const NEARLY_FULL = 0.9;

/**
 * How much output Redis keeps for connections of lock clients, whether they stay open, whether more clients can
 * connect, and whether Redis limits the time of scripts.
 */
export function checkConnections(readings: Readings, pubsubLimitBytes: number | null): Finding[] {
  return [outputOf(readings, pubsubLimitBytes), idleOf(readings), ...roomOf(readings), scriptsOf(readings)];
}

function outputOf(readings: Readings, bytes: number | null): Finding {
  if (bytes === null) return missing('output-limit', readings, 'client-output-buffer-limit');
  const words = settingOf(readings, 'client-output-buffer-limit')?.trim().split(/\s+/) ?? [];
  const at = words.indexOf('pubsub');
  const read = [{ name: 'client-output-buffer-limit', value: words.slice(at, at + 4).join(' ') }];
  const fix = [settingLine(readings, 'client-output-buffer-limit', `pubsub ${USUAL_LIMIT}`)];
  if (bytes === 0) return finding('output-limit', 'warning', 'output-unlimited', {}, read, fix);
  if (bytes < SMALL_LIMIT_BYTES) {
    const kilobytes = Math.round(bytes / 1024);
    return finding('output-limit', 'warning', 'output-limit-small', { kilobytes }, read, fix);
  }
  return finding('output-limit', 'good', 'output-limited', { megabytes: Math.round(bytes / 1024 / 1024) }, read);
}

function idleOf(readings: Readings): Finding {
  const seconds = numberFrom(settingOf(readings, 'timeout'));
  const keepaliveSeconds = numberFrom(settingOf(readings, 'tcp-keepalive'));
  if (seconds === null) return missing('idle-connections', readings, 'timeout');
  if (keepaliveSeconds === null) return missing('idle-connections', readings, 'tcp-keepalive');
  const read = [...observed('timeout', seconds), ...observed('tcp-keepalive', keepaliveSeconds)];
  if (seconds > 0) {
    const state = seconds <= PING_SECONDS ? 'warning' : 'info';
    const fix = [settingLine(readings, 'timeout', '0')];
    return finding('idle-connections', state, 'idle-closed', { seconds }, read, fix);
  }
  if (keepaliveSeconds === 0) {
    const fix = [settingLine(readings, 'tcp-keepalive', '300')];
    return finding('idle-connections', 'warning', 'no-keepalive', {}, read, fix);
  }
  return finding('idle-connections', 'good', 'idle-kept', { keepaliveSeconds }, read);
}

function roomOf(readings: Readings): Finding[] {
  const connected = numberOf(readings, 'connected_clients');
  const most = numberOf(readings, 'maxclients');
  if (connected === null || most === null || most === 0) return [];
  const read = [...observed('connected_clients', connected), ...observed('maxclients', most)];
  if (connected < NEARLY_FULL * most) {
    return [finding('max-clients', 'good', 'connections-left', { connected, most }, read)];
  }
  const fix = [settingLine(readings, 'maxclients', String(2 * most))];
  return [finding('max-clients', 'warning', 'connections-nearly-full', { connected, most }, read, fix)];
}

function scriptsOf(readings: Readings): Finding {
  const now = numberFrom(settingOf(readings, 'busy-reply-threshold'));
  const name: Setting = now === null ? 'lua-time-limit' : 'busy-reply-threshold';
  const ms = now ?? numberFrom(settingOf(readings, 'lua-time-limit'));
  if (ms === null) return missing('scripts', readings, 'lua-time-limit');
  const read = observed(name, ms);
  if (ms > 0) return finding('scripts', 'good', 'script-limit', { ms }, read);
  return finding('scripts', 'warning', 'no-script-limit', {}, read, [settingLine(readings, name, '5000')]);
}

function missing(id: Matter, readings: Readings, setting: Setting): Finding {
  if ('refused' in readings.config) return unread(id, readings, readings.config.refused);
  return notReported(id, setting);
}

import { type Finding, finding, type Observed } from '../finding.ts';
import { infoOf, numberOf, type Readings, settingOf } from '../readings.ts';
import { notReported, settingLine, unread } from '../remedy.ts';
import { observed } from './memory.ts';

/** Which locks survive a restart of Redis, and whether Redis can save at all. */
export function checkPersistence(readings: Readings): Finding[] {
  const aof = numberOf(readings, 'aof_enabled') ?? switchOf(settingOf(readings, 'appendonly'));
  const save = settingOf(readings, 'save');
  const sync = settingOf(readings, 'appendfsync');
  const read: Observed[] = [
    ...observed('appendonly', aof === null ? null : aof === 1 ? 'yes' : 'no'),
    ...(aof === 1 ? observed('appendfsync', sync) : []),
    ...observed('save', save === '' ? '""' : save),
  ];
  return [survivalOf(readings, aof, save, sync, read), ...savesOf(readings, aof, save)];
}

function survivalOf(
  readings: Readings,
  aof: number | null,
  save: string | null,
  sync: string | null,
  read: Observed[],
): Finding {
  const { info, config } = readings;
  if (aof === null) {
    if ('refused' in info) return unread('persistence', readings, info.refused, read);
    return notReported('persistence', 'aof_enabled');
  }
  const everySecond = [settingLine(readings, 'appendonly', 'yes'), settingLine(readings, 'appendfsync', 'everysec')];
  const always = [settingLine(readings, 'appendfsync', 'always')];
  if (aof === 1) {
    switch (sync) {
      case 'always':
        return finding('persistence', 'good', 'aof-always', {}, read);
      case 'everysec':
        return finding('persistence', 'info', 'aof-every-second', {}, read, always);
      case 'no':
        return finding('persistence', 'warning', 'aof-by-system', {}, read, everySecond.slice(1));
      default:
        return finding('persistence', 'unknown', 'aof-unknown-sync', {}, read, grantsOf(readings));
    }
  }
  if (save === null) {
    if ('refused' in config) return unread('persistence', readings, config.refused, read);
    return notReported('persistence', 'save');
  }
  if (save === '') return finding('persistence', 'danger', 'nothing-saved', {}, read, everySecond);
  return finding('persistence', 'warning', 'snapshots-only', {}, read, everySecond);
}

function grantsOf(readings: Readings): readonly string[] {
  const { config } = readings;
  return 'refused' in config ? unread('persistence', readings, config.refused).fix : [];
}

/** Redis refuses writes after a failed snapshot if it has save points, and after a failed write of its AOF. */
function savesOf(readings: Readings, aof: number | null, save: string | null): Finding[] {
  const snapshot = infoOf(readings, 'rdb_last_bgsave_status');
  const write = aof === 1 ? infoOf(readings, 'aof_last_write_status') : null;
  const read = [...observed('rdb_last_bgsave_status', snapshot), ...observed('aof_last_write_status', write)];
  if (write !== null && write !== 'ok') return [finding('saving', 'danger', 'save-failed', { what: 'aof' }, read)];
  if (snapshot !== null && snapshot !== 'ok' && save !== '') {
    return [finding('saving', 'danger', 'save-failed', { what: 'snapshot' }, read)];
  }
  return snapshot === 'ok' && save !== null && save !== '' ? [finding('saving', 'good', 'saves-work', {}, read)] : [];
}

function switchOf(value: string | null): number | null {
  return value === 'yes' ? 1 : value === 'no' ? 0 : null;
}

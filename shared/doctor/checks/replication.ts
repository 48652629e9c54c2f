import { type Finding, finding } from '../finding.ts';
import { infoOf, numberFrom, numberOf, type Readings, settingOf } from '../readings.ts';
import { notReported, settingLine, unread } from '../remedy.ts';
import { observed } from './memory.ts';

/** A replica that has confirmed nothing for longer than this is late. */
const LATE_SECONDS = 10;

/** Whether a failover may lose locks, and whether clients acquire locks on this server. */
export function checkReplication(readings: Readings): Finding[] {
  const roleRead = [{ name: 'role', value: readings.role }];
  if (readings.role === 'replica') {
    return [finding('role', 'warning', 'is-replica', {}, roleRead), linkOf(readings)];
  }
  return [finding('role', 'good', 'is-master', {}, roleRead), replicasOf(readings)];
}

function linkOf(readings: Readings): Finding {
  const link = infoOf(readings, 'master_link_status');
  if (link === null) return missing(readings, 'master_link_status');
  const read = observed('master_link_status', link);
  if (link === 'up') return finding('replication', 'info', 'replica-connected', {}, read);
  return finding('replication', 'danger', 'replica-cut-off', {}, read);
}

function replicasOf(readings: Readings): Finding {
  const replicas = numberOf(readings, 'connected_slaves');
  if (replicas === null) return missing(readings, 'connected_slaves');
  const good = numberOf(readings, 'min_slaves_good_slaves');
  // INFO has the number of good replicas only if replicas are required.
  const least = numberFrom(settingOf(readings, 'min-replicas-to-write'));
  const { lagSeconds, isAnyOffline } = latest(readings);
  const read = [
    ...observed('connected_slaves', replicas),
    ...observed('lag', lagSeconds),
    ...observed('min-replicas-to-write', least),
    ...observed('min_slaves_good_slaves', good),
  ];
  if (least !== null && least > 0 && (good ?? replicas) < least) {
    const fix = [settingLine(readings, 'min-replicas-to-write', '0')];
    return finding('replication', 'danger', 'replicas-missing', { present: good ?? replicas, least }, read, fix);
  }
  if (replicas === 0) return finding('replication', 'info', 'no-replica', {}, read);
  if (isAnyOffline || (lagSeconds ?? 0) > LATE_SECONDS) {
    return finding('replication', 'warning', 'replica-late', { lagSeconds }, read);
  }
  if (least === null ? good !== null : least > 0) {
    return finding('replication', 'info', 'replicas-required', { replicas, least }, read);
  }
  const fix = [
    settingLine(readings, 'min-replicas-to-write', '1'),
    settingLine(readings, 'min-replicas-max-lag', String(LATE_SECONDS)),
  ];
  return finding('replication', 'warning', 'replicas-unconfirmed', { replicas }, read, fix);
}

/** The largest lag of `slave0:ip=…,state=online,offset=…,lag=1`, and whether a replica is not `online` yet. */
function latest({ info }: Readings): { lagSeconds: number | null; isAnyOffline: boolean } {
  let lagSeconds: number | null = null;
  let isAnyOffline = false;
  for (const [name, value] of 'value' in info ? info.value : []) {
    if (!/^slave\d+$/.test(name)) continue;
    const lag = /(?:^|,)lag=(\d+)/.exec(value)?.[1];
    if (lag !== undefined) lagSeconds = Math.max(lagSeconds ?? 0, Number(lag));
    if (!/(?:^|,)state=online(?:,|$)/.test(value)) isAnyOffline = true;
  }
  return { lagSeconds, isAnyOffline };
}

function missing(readings: Readings, field: string): Finding {
  if ('refused' in readings.info) return unread('replication', readings, readings.info.refused);
  return notReported('replication', field);
}

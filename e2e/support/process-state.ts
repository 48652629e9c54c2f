import { readFileSync } from 'node:fs';

/** The state of a process from the system: `T` for stopped by a signal, `none` if there is no such process. */
export function stateOf(pid: number): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? 'unreadable';
  } catch {
    return 'none';
  }
}

/** The resident memory of a process, in MB (`VmRSS` of Linux). Throws if the process has none. */
export function rssMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kb === undefined) throw new Error(`process ${pid} has no memory`);
  return Math.round(Number(kb) / 1024);
}

/** Whether there is a process with this id, also one that has ended and was not collected. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

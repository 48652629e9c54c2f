import { readFileSync } from 'node:fs';

/** Memory that a process takes, in MB, as Linux counts it. */
export function rssMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kb === undefined) throw new Error(`process ${pid} has no memory`);
  return Math.round(Number(kb) / 1024);
}

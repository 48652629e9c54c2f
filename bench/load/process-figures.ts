import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process so far, in ms, to the nanosecond: of all its threads that have not ended. */
export function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanos.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** The resident memory of a process, in bytes. */
export function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** The processes of a PostgreSQL that listens on this port. */
export function postgresProcesses(port: number): number[] {
  const statusOf = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // the process has ended
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const first = pids.find(
    (pid) => statusOf(pid, 'cmdline').includes(`postgres\0-D`) && statusOf(pid, 'cmdline').includes(`port=${port}\0`),
  );
  const children = pids.filter((pid) => statusOf(pid, 'status').includes(`\nPPid:\t${first}\n`));
  return [...(first === undefined ? [] : [first]), ...children].map(Number);
}

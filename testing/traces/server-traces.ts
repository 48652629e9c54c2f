import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { type Group, linesOfServer, stepsFromGroupTrace } from './group-trace.ts';
import type { Side } from './side-signals.ts';
import { eventsFromTrace } from './trace-file.ts';

const SERVERS = new URL('../../shared/traces/servers/', import.meta.url);

export const CLUSTER = { before: '8103', after: '8105', how: 'promoted' } as const;
export const SENTINEL = { before: '0', after: '1', how: 'promoted' } as const;
export const RESTART = { before: '', after: '', how: 'restarted' } as const;

/** Each trace in `servers/`: the servers before and after its failover, or the only one that is watched. */
const TRACES: readonly (readonly [path: string, watched: Group | string])[] = [
  ['cluster-7.0.15/contention-4.7.0.trace.gz', '8103'],
  ['cluster-7.0.15/failover-4.7.0.trace.gz', CLUSTER],
  ['failover/failover-lock-lost-3.11.6.trace', SENTINEL],
  ['failover/failover-lock-lost-4.7.0.trace', SENTINEL],
  ['failover/failover-lock-lost.restart-3.16.8.trace', RESTART],
  ['failover/failover-lock-lost.restart-4.7.0.trace', RESTART],
  ['failover/failover-lock-lost.unconfirmed-3.51.0.trace', '0'],
  ['failover/failover-lock-lost.unconfirmed-3.52.0.trace', '0'],
];

/** The text of a file in `servers/`, unpacked. */
export function readServerTrace(path: string): string {
  const bytes = readFileSync(new URL(path, SERVERS));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}

/** Every trace in `servers/`, and its events as Lockscope reports them. */
export function serverGoldens(): { name: string; events(): LockEvent[]; side(): Side | undefined }[] {
  return TRACES.map(([path, watched]) => ({
    name: `servers/${nameOf(path)}`,
    side: () => sideOf(path),
    events() {
      const text = readServerTrace(path);
      if (typeof watched === 'string')
        return eventsFromTrace(linesOfServer(text.split('\n'), watched).join('\n'), true);
      const interpreter = new Interpreter({ source: 'redis' });
      return stepsFromGroupTrace(text, watched, sideOf(path)).flatMap((step) => interpreter.interpret(step));
    },
  }));
}

/** The file beside a trace; undefined if the trace has no such file. */
export function sideOf(path: string): Side | undefined {
  const beside = new URL(`${nameOf(path)}.side.json`, SERVERS);
  return existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as Side) : undefined; // a file of this repository
}

function nameOf(path: string): string {
  return path.replace(/\.trace(\.gz)?$/, '');
}

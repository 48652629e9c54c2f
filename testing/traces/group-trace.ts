import { redisTime } from '../../shared/base/time.ts';
import type { FailoverSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { type Side, SideSignals } from './side-signals.ts';
import { signalsFromTrace, stepsFromSignals } from './trace-file.ts';

/** The remark in a trace after which the former master is no longer watched, and the one after which the new one is. */
const FORMER_MASTER_ENDS = /^# (?:master killed|observer cut off(?: from 0)?)$/;
const NEW_MASTER_BEGINS = /^# (?:replica promoted|observer back(?: on 1)?)$/;

/**
 * The servers before and after a failover, as each line begins: `8103`, `0`. Empty if the trace has only one server.
 */
export type Group = { readonly before: string; readonly after: string; readonly how: FailoverSignal['how'] };

/**
 * A trace of several servers as a connection to the master sees it: the lines of the former master, a blind spot, the
 * failover, and the lines of the new master. `side`: the file beside a trace of only one server.
 */
export function stepsFromGroupTrace(text: string, { before, after, how }: Group, side?: Side): Step[] {
  const signals = side && new SideSignals(side);
  const lines = text.split('\n');
  const end = lines.findIndex((line) => FORMER_MASTER_ENDS.test(line));
  const begin = lines.findLastIndex((line) => NEW_MASTER_BEGINS.test(line));
  const old = stepsOf(lines.slice(0, end), before, signals);
  const at = Math.max(...old.map((step) => (step.kind === 'command' ? step.head.at : step.at)));
  const blind = { kind: 'blind-spot', at: redisTime(at) } as const;
  return [
    ...old,
    { ...blind, phase: 'began', reason: 'connection-lost' },
    {
      kind: 'failover',
      at: redisTime(at),
      how,
      from: `server ${before}`,
      to: `server ${after}`,
      replicatedUntil: null,
    },
    { ...blind, phase: 'ended', reason: 'watching-again' },
    ...stepsOf(lines.slice(begin), after, signals),
  ];
}

/** The lines of one server of a trace, without the server's number. All lines if `server` is empty. */
export function linesOfServer(lines: readonly string[], server: string): string[] {
  if (server === '') return [...lines];
  return lines.flatMap((line) => (line.startsWith(`${server} `) ? [line.slice(server.length + 1)] : []));
}

function stepsOf(lines: readonly string[], server: string, side?: SideSignals): Step[] {
  return stepsFromSignals(signalsFromTrace(linesOfServer(lines, server).join('\n'), side), true);
}

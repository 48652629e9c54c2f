import type { LockEvent } from '../../shared/events/event.ts';
import { GroupFinder } from '../../shared/events/groups/group-finder.ts';
import { regrouped } from '../../shared/events/groups/regrouped.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { StepAssembler } from '../../shared/signals/step-assembler.ts';
import { signalsFromTrace } from './trace-file.ts';

/** Whether a trace has several servers: each line begins with the server's number. */
export function isOfSeveralServers(text: string): boolean {
  return /^\d+ (?:\d+\.\d+ \[|> )/m.test(text);
}

/**
 * The events of a trace of one or several servers, in one order and with their groups, as the product reports them. The
 * sources are `server-0`, `server-1` …
 */
export function groupedEventsFromTrace(text: string, isPushFirst: boolean): LockEvent[] {
  return withGroups(isOfSeveralServers(text) ? eventsOfServers(text, isPushFirst) : eventsOf(text, isPushFirst));
}

/** Events with their groups, also those that a later event added to a group. */
export function withGroups(events: readonly LockEvent[]): LockEvent[] {
  const finder = new GroupFinder();
  const reported: LockEvent[] = [];
  const places = new Map<number, number>();
  for (const event of events) {
    const grouped = finder.take(event);
    places.set(event.seq, reported.length);
    reported.push(grouped);
    for (const seq of grouped.groupSeqs ?? []) {
      const place = places.get(seq) ?? -1;
      const before = reported[place];
      if (before) reported[place] = regrouped(before, grouped);
    }
  }
  return reported;
}

function eventsOf(text: string, isPushFirst: boolean): LockEvent[] {
  return eventsOfServers(text.replace(/^(?=\d|> )/gm, '0 '), isPushFirst);
}

/** Interprets each server's lines with a separate interpreter. The events are in the order of the lines. */
function eventsOfServers(text: string, isPushFirst: boolean): LockEvent[] {
  const servers = new Map<string, { assembler: StepAssembler; interpreter: Interpreter; seqs: Map<number, number> }>();
  const events: LockEvent[] = [];
  const report = (source: string, found: readonly LockEvent[]) => {
    const { seqs } = serverOf(source);
    for (const event of found) {
      const seq = events.length + 1;
      seqs.set(event.seq, seq);
      const because = event.because?.map((cause) => seqs.get(cause)).filter((cause) => cause !== undefined);
      events.push({ ...event, seq, ...(because ? { because } : {}) });
    }
  };
  const serverOf = (number: string) => {
    const known = servers.get(number);
    if (known) return known;
    const server = {
      assembler: new StepAssembler(isPushFirst),
      interpreter: new Interpreter({ source: `server-${number}` }),
      seqs: new Map<number, number>(),
    };
    servers.set(number, server);
    return server;
  };
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (line.startsWith('#') || space === -1) continue;
    const number = line.slice(0, space);
    const { assembler, interpreter } = serverOf(number);
    for (const signal of signalsFromTrace(line.slice(space + 1))) {
      for (const step of assembler.add(signal)) report(number, interpreter.interpret(step));
    }
  }
  for (const [number, { assembler, interpreter }] of servers) {
    for (const step of assembler.settle()) report(number, interpreter.interpret(step));
  }
  return events;
}

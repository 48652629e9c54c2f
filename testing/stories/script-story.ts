import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import type { CommandStep } from '../../shared/signals/step.ts';
import { seconds } from './story.ts';

/** One command sent to Redis: the address of its client, its words and, for a script, the lines that it ran. */
export type Sent = { readonly by: string; readonly words: readonly string[]; readonly ran?: readonly string[] };

/** A script with its keys and arguments, separated by blanks, and the lines that it ran. Its SHA is not a known one. */
export function script(by: string, keys: string, args: string, ...ran: string[]): Sent {
  const [names, values] = [keys, args].map((text) => text.split(' ').filter((word) => word !== ''));
  return { by, words: ['EVALSHA', 'f'.repeat(40), String(names?.length), ...(names ?? []), ...(values ?? [])], ran };
}

/** A plain command, with its words separated by blanks. */
export function command(by: string, text: string): Sent {
  return { by, words: text.split(' ') };
}

/**
 * The events of these commands, sent one after another, `everyMs` apart, of a server that has been watched for a day.
 */
export function eventsFromScripts(sent: readonly Sent[], everyMs = 100): LockEvent[] {
  const before = { sent: command('other:1', 'PING'), atMs: -86_400_000 };
  return eventsAt([before, ...sent.map((each, n) => ({ sent: each, atMs: n * everyMs }))]);
}

/** Commands, each sent at its own time. */
export type SentAt = readonly { readonly sent: Sent; readonly atMs: number }[];

/** The events of these commands. */
export function eventsAt(sent: SentAt): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  return stepsAt(sent).flatMap((step) => interpreter.interpret(step));
}

export function stepsAt(sent: SentAt): CommandStep[] {
  return sent.map(({ sent: { by, words, ran = [] }, atMs }) => {
    const at = seconds(atMs / 1000);
    const line = (client: string | null, lineWords: readonly string[]): LineSignal => {
      return { kind: 'line', at, db: 0, client, words: lineWords };
    };
    const inner = ran.map((text) => line(null, text.split(' ')));
    return { kind: 'command', head: line(by, words), inner, pushes: [] };
  });
}

import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { LineSignal } from '../signals/signal.ts';
import { seconds } from './story.ts';

/** One thing said to Redis: by whom, what, and for a script the lines it ran. */
export type Said = { readonly by: string; readonly words: readonly string[]; readonly ran?: readonly string[] };

/** A script with its keys and arguments, each a text with blanks between, and the lines it ran; sent by a SHA that nobody knows. */
export function script(by: string, keys: string, args: string, ...ran: string[]): Said {
  const [names, values] = [keys, args].map((text) => text.split(' ').filter((word) => word !== ''));
  return { by, words: ['EVALSHA', 'f'.repeat(40), String(names?.length), ...(names ?? []), ...(values ?? [])], ran };
}

/** A plain command, its words with blanks between. */
export function command(by: string, text: string): Said {
  return { by, words: text.split(' ') };
}

/** What it means when these are said one after the other, `everyMs` apart. */
export function eventsFromScripts(said: readonly Said[], everyMs = 100): LockEvent[] {
  return eventsAt(said.map((each, n) => ({ said: each, atMs: n * everyMs })));
}

/** What it means when each of these is said at its time. */
export function eventsAt(said: readonly { readonly said: Said; readonly atMs: number }[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  return said.flatMap(({ said: { by, words, ran = [] }, atMs }) => {
    const at = seconds(atMs / 1000);
    const line = (client: string | null, spoken: readonly string[]): LineSignal => {
      return { kind: 'line', at, db: 0, client, words: spoken };
    };
    const inner = ran.map((text) => line(null, text.split(' ')));
    return interpreter.interpret({ kind: 'command', head: line(by, words), inner, pushes: [] });
  });
}

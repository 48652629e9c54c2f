import { Interpreter } from '../../shared/events/interpreter.ts';
import type { KeyRead, LineSignal, PushSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { seconds } from './story.ts';

/** Two tokens of locks. */
export const [T1, T2] = ['8b6ead8ee54611f18a0402fc00000001', '8f92d9c6e54611f18ae702fc00000001'];

/** An interpreter of plain commands, scripts and reads, each at a second, with the keys it wants to be read. */
export function makeTokenStory(isNamed?: (name: string) => boolean) {
  const interpreter = new Interpreter({ source: 'redis', ...(isNamed ? { isNamed } : {}) });
  const doubts: string[] = [];
  interpreter.onDoubt = (key) => doubts.push(key.name);
  const watched: string[] = [];
  interpreter.ownLocks.onWatched = (name) => watched.push(name);
  const line = (at: number, client: string | null, words: string[]): LineSignal => {
    return { kind: 'line', at: seconds(at), db: 0, client, words };
  };
  return {
    doubts,
    /** Names whose commands are kept from then on. */
    watched,
    /** Any other step, for example a blind spot. */
    step: (step: Step) => interpreter.interpret(step),
    /** A client list without names. */
    list: (at: number) => interpreter.interpret({ kind: 'clients', at: seconds(at), clients: [] }),
    run: (at: number, client: string, words: string[], pushes: PushSignal[] = []) =>
      interpreter.interpret({ kind: 'command', head: line(at, client, words), inner: [], pushes }),
    script: (
      at: number,
      client: string,
      keys: string[],
      args: string[],
      inner: string[][],
      sha = '0'.repeat(40),
      pushes: PushSignal[] = [],
    ) => {
      const head = line(at, client, ['EVALSHA', sha, String(keys.length), ...keys, ...args]);
      const lines = inner.map((words) => line(at, null, words));
      return interpreter.interpret({ kind: 'command', head, inner: lines, pushes });
    },
    read: (at: number, name: string, token: string | undefined, pttl = 5000) => {
      const read: KeyRead = {
        ...{ db: 0, name, type: token === undefined ? 'none' : 'string', fields: {}, hasChanged: false },
        ...{ pttl: token === undefined ? -2 : pttl, subscribers: null },
        companions: { token: token === undefined ? [] : [token] },
      };
      return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
    },
  };
}

/** Each event with its certainty, for example `lock.acquired observed`. */
export const reported = (events: readonly { type: string; certainty: string }[]) =>
  events.map(({ type, certainty }) => `${type} ${certainty}`);

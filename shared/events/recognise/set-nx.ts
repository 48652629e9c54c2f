import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { Lease } from '../types/lease.ts';
import { libraryOfValue } from './token-libraries.ts';

/** Plain commands that acquire, renew and release token locks. */
export const TOKEN_COMMANDS: readonly string[] = ['SET', 'SETNX', 'DELEX'];

/**
 * What a plain command does to a token lock; undefined if it has none of these forms. MONITOR does not show its
 * outcome: only a key event, or what the key held before, does.
 *
 *   SET k T NX [PX ms|EX s]      SETNX k T        an attempt
 *   SET k T PX ms XX                              set again, with any holder
 *   SET k T PX ms IFEQ T                          a renewal by comparison
 *   DELEX k IFEQ T                                a release by comparison
 */
export function recogniseTokenCommand(line: LineSignal): Action[] | undefined {
  const [name = '', lock = '', token = ''] = line.words;
  const { at } = line;
  switch (name.toUpperCase()) {
    case 'SETNX':
      return [attempt(line, lock, token)];
    case 'DELEX': {
      const [, , word = '', compared = ''] = line.words;
      if (word.toUpperCase() !== 'IFEQ') return undefined;
      return [{ do: 'token-try', at, lock, token: compared, ...COMPARED, lease: null, isDelete: true }];
    }
    default: {
      const options = line.words.slice(3).map((word) => word.toUpperCase());
      if (options.includes('NX')) return [attempt(line, lock, token)];
      if (options.includes('IFEQ')) {
        return [{ do: 'token-try', at, lock, token, ...COMPARED, lease: leaseOf(line), isDelete: false }];
      }
      if (!options.includes('XX')) return undefined;
      const { library, evidence } = seemsOf(lock, token);
      return [
        { do: 'token-try', at, lock, token, library, evidence, ifKeyIs: 'any', lease: leaseOf(line), isDelete: false },
      ];
    }
  }
}

/** Only locks use these commands. */
const COMPARED = { ifKeyIs: 'own', library: undefined, evidence: 'sure' } as const;

function attempt(line: LineSignal, lock: string, token: string): Action {
  const { library, evidence } = seemsOf(lock, token);
  const lease = leaseOf(line);
  return { do: 'token-try', at: line.at, lock, token, library, evidence, ifKeyIs: 'free', lease, isDelete: false };
}

function seemsOf(lock: string, token: string) {
  const seems = libraryOfValue(lock, token);
  return { library: seems?.library, evidence: seems?.isSure ? ('sure' as const) : ('shape' as const) };
}

/** The lease from the arguments of SET; null if they have none. */
export function leaseOf({ at, words }: LineSignal): Lease | null {
  for (let n = 3; n + 1 < words.length; n++) {
    const unit = words[n]?.toUpperCase();
    const amount = Number(words[n + 1]);
    if ((unit === 'PX' || unit === 'EX') && Number.isFinite(amount)) {
      return { setAt: at, ms: unit === 'PX' ? amount : amount * 1000 };
    }
  }
  return null;
}

import { plusMillis } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { MovedTimeout } from '../actions/read-write-action.ts';
import { isDerivedFrom, isHolder, parseReadTimeoutKey } from '../names/names.ts';
import type { Lease } from '../types/lease.ts';
import { leaseFrom } from './hold-in-hash.ts';
import type { ScriptRun } from './script-run.ts';

/** What a renewal did to one lock. */
type Renewed = {
  readonly lock: string;
  readonly asked: { readonly holder: string; readonly line: LineSignal }[];
  lease: Lease | null;
  hasScanned: boolean;
  readonly moved: MovedTimeout[];
};

/**
 * What a watchdog's script did to holds for reading (`docs/protocol.md` 7.4), in all generations:
 *
 *   hget L h → pexpire L → hlen L → hkeys L → (hget L f → pexpire TP of f …)*     3.8.1–3.43.0: all timeout keys
 *   the same once for each lock                                                   3.44.0–3.52.0, 4.0.0–4.3.1
 *   (hget L h → pexpire TP:n … TP:1)* → pexpire L                                 4.4.0 on: its holders' timeout keys
 *   hget L h                                                                      refused: no such holder
 *
 * 3.44.0 to 3.52.0 use the wrong argument for the second count of a hold: they renew keys that do not exist, or end in
 * an error, and look up a holder with an empty name. Only real changes to a reader's own keys are returned.
 */
export function readRenewals(run: ScriptRun): Action[] | undefined {
  const { keys, args } = run;
  if (keys.length % 2 !== 0 || !Number.isFinite(Number(args[0]))) return undefined;
  const renewed: Renewed[] = [];
  for (let n = 0; n < run.lines.length; n++) {
    const line = run.lines[n];
    if (!line || !note(line, run.names[n] ?? '', run, renewed)) return undefined;
  }
  const batch = keys.length / 2;
  return renewed.flatMap(({ lock, asked, lease, moved }) =>
    asked
      .filter(({ holder }) => holder !== '')
      .map(({ holder, line }): Action => {
        const movedHere = moved.filter((each) => asked.length === 1 || each.holder === holder);
        const isFound = lease !== null && (asked.length === 1 || movedHere.length > 0);
        const at = isFound ? lease.setAt : line.at;
        return {
          do: 'read-renew',
          at,
          lock,
          holder,
          lease: isFound ? lease : null,
          batch,
          moved: isFound ? movedHere : [],
        };
      }),
  );
}

/** Notes the next line of a renewal; false if the script is not a renewal. */
function note(line: LineSignal, name: string, run: ScriptRun, renewed: Renewed[]): boolean {
  const { keys, args } = run;
  const [, key = '', value = ''] = line.words;
  const current = renewed.at(-1);
  if (name === 'hget') {
    if (current?.hasScanned && current.lock === key) return true;
    if (!keys.includes(key) || !args.includes(value) || !(value === '' || isHolder(value))) return false;
    const asked = { holder: value, line };
    if (current?.lock === key) current.asked.push(asked);
    else renewed.push({ lock: key, asked: [asked], lease: null, hasScanned: false, moved: [] });
    return true;
  }
  if (!current) return false;
  if (name === 'hlen') return true;
  if (name === 'hkeys') {
    current.hasScanned = true;
    return true;
  }
  if (name !== 'pexpire') return false;
  const lease = leaseFrom(line, run);
  if (key === current.lock) current.lease = lease;
  const timeout = lease && parseReadTimeoutKey(key);
  if (lease && timeout && isDerivedFrom(current.lock, timeout.lock)) {
    current.moved.push({ ...timeout, endsAt: plusMillis(lease.setAt, lease.ms) });
  }
  return true;
}

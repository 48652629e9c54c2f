import type { RedisTime } from '../../../shared/base/time.ts';
import type { BlindSpot } from '../../../shared/state/blind-spots.ts';
import type { ClientState } from '../../../shared/state/client-states.ts';
import type { GivenLetters } from '../../../shared/state/letters.ts';
import { idOf, type LockState } from '../../../shared/state/lock-state.ts';
import type { SourceFacts } from '../../../shared/state/server-states.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import type { Memory } from './memory.ts';
import type { WatchedSince } from './watch-log.ts';

/** Free locks and clients that are kept: those that changed last. A free lock that is left out is unknown later. */
const MOST_FREE = 2000;
const MOST_CLIENTS = 2000;

/** One line of JSON each. */
type StandingLine =
  | {
      readonly nextEvent: number;
      readonly blind: readonly BlindSpot[];
      readonly facts: readonly SourceFacts[];
      readonly watched: readonly WatchedSince[];
    }
  | { readonly locks: readonly LockState[] }
  | { readonly letters: readonly GivenLetters[] }
  | { readonly clients: readonly ClientState[] };

/** The state after the newest event, from which a later process goes on. `text` writes it in slices. */
export type Standing = { readonly nextEvent: number; text(): Sliced<string> };

/** Takes the state as it is now. */
export function standingOf(memory: Memory): Standing {
  const { history, world, letters, clientStates, serverStates, watchLog, blind } = memory;
  const locks = [...[...world.free()].slice(-MOST_FREE), ...world.busy()];
  const given = locks.flatMap((lock) => letters.given(idOf(lock)) ?? []);
  const clients = [...clientStates.clients()].slice(-MOST_CLIENTS);
  const nextEvent = history.nextSeq();
  const head = lineOf({ nextEvent, blind: blind.all(), facts: serverStates.all(), watched: watchLog.all() });
  function* text(): Sliced<string> {
    let lines = head;
    for (const part of inParts(locks)) {
      lines += lineOf({ locks: part });
      yield;
    }
    for (const part of inParts(given)) {
      lines += lineOf({ letters: part });
      yield;
    }
    return lines + lineOf({ clients });
  }
  return { nextEvent, text };
}

function lineOf(line: StandingLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Goes on from a state that `standingOf` took, at an instant. */
export function* restoreStanding(memory: Memory, text: string, at: RedisTime): Sliced<void> {
  const { history, world, letters, clientStates, serverStates, watchLog, blind, outlines, trends } = memory;
  for (const each of text.split('\n')) {
    if (each === '') continue;
    const line = JSON.parse(each) as StandingLine; // `standingOf` wrote this form
    if ('nextEvent' in line) {
      history.continueAt(line.nextEvent, true, at);
      for (const spot of line.blind) blind.restore(spot);
      for (const facts of line.facts) serverStates.restore(facts);
      for (const watched of line.watched) watchLog.restore(watched);
    } else if ('locks' in line) {
      const { locks } = line;
      world.restore(locks.map((lock) => [idOf(lock), lock]));
      for (const lock of locks) outlines.restore(idOf(lock), lock, at);
    } else if ('letters' in line) for (const given of line.letters) letters.restore(given);
    else for (const state of line.clients) clientStates.restore(state);
    yield;
  }
  trends.setWaits(world);
}

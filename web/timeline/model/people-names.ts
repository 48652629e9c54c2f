import { useContext, useMemo } from 'react';
import { personText, splitHolder } from '../../../shared/wire/person-text.ts';
import { letterOf } from '../../data/live/letters.ts';
import type { LiveState } from '../../data/live/live-state.ts';
import { useLive } from '../../data/live/use-live.ts';
import { GivenLetters } from '../../parts/people.ts';
import { cutInMiddle, visibleText } from '../../ui/visible-text.ts';
import type { NameOf } from './sentence.ts';

const LONGEST = 40;

/**
 * Returns the function for the letter and name of a holder in plain text: `A order-svc-1:7`. `areSeveral`: several
 * locks are shown, so only clients of the demo have a letter.
 */
export function useNameOf(areSeveral: boolean): NameOf {
  const given = useContext(GivenLetters);
  const letters = useLive((state) => state.letters);
  const names = useLive((state) => state.names);
  return useMemo(() => namesFrom(given, { letters, names }, areSeveral), [given, letters, names, areSeveral]);
}

/** As `useNameOf`, from the state of the page and the letters of the demo's clients. */
export function namesFrom(
  given: ReadonlyMap<string, string>,
  state: Pick<LiveState, 'letters' | 'names'>,
  areSeveral: boolean,
): NameOf {
  return (lockId, holder) => {
    const { client, thread } = splitHolder(holder);
    const letter = letterOf(given, areSeveral ? undefined : state.letters.get(lockId), holder);
    const name = cutInMiddle(visibleText(personText(client, thread, state.names.get(client) ?? null)), LONGEST);
    return letter === null ? name : `${letter} ${name}`;
  };
}

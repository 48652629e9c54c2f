import { type ReactNode, useContext, useMemo } from 'react';
import { useLive } from '../data/use-live.ts';
import { GivenLetters } from '../inspector/people.ts';
import { useDesk, useRows } from './desk.ts';
import { lettersForStrangers } from './lane-letters.ts';

/** Gives every lane of an open lock a letter, also where its thread was gone before this page was opened. */
export function LaneLetters({ children }: { children: ReactNode }) {
  const { timeline } = useDesk();
  const { rows } = useRows();
  const given = useContext(GivenLetters);
  const seen = useLive((state) => state.letters);
  const all = useMemo(() => {
    const open = rows.flatMap((row) => (row.kind === 'lock' && row.isOpen ? [row.lockId] : []));
    const tracks = open.flatMap((id) => timeline.history.track(id, Date.now()) ?? []);
    return new Map([...lettersForStrangers(tracks, given, seen), ...given]);
  }, [rows, given, seen, timeline]);
  return <GivenLetters value={all}>{children}</GivenLetters>;
}

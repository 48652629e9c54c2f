import { lacksRights } from '../../shared/wire/watched.ts';
import { useLive } from '../data/live/use-live.ts';
import { useWords } from '../words/language.ts';

/** The reason why held locks may be missing from the list, in one sentence; undefined if the list is complete. */
export function useMissing(): string | undefined {
  const { overview } = useWords();
  const scanned = useScanned();
  const isFull = useLive((state) => state.sources.some(({ missing }) => missing?.isFull === true));
  const hasLostLines = useLive((state) => state.sources.some(({ missing }) => missing?.hasLostLines === true));
  const isLacking = useLacksRights();
  if (isLacking) return overview.lacksRights;
  if (isFull) return overview.isFull;
  if (hasLostLines) return overview.hasLostLines;
  return scanned === undefined ? undefined : overview.scanning(scanned);
}

/** Whether locks may be missing because the user of a source has no right to see them. */
export function useLacksRights(): boolean {
  return useLive((state) => state.sources.some(lacksRights));
}

/** Progress of the first scan in percent, of the slowest source; undefined once all scans are complete. */
export function useScanned(): number | undefined {
  return useLive((state) => {
    const shares = state.sources.flatMap(({ missing }) => missing?.firstScan ?? []);
    return shares.length === 0 ? undefined : Math.floor(Math.min(...shares) * 100);
  });
}

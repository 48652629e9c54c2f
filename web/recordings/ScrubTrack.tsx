import { useQuery } from '@tanstack/react-query';
import type { TrendBin, trendsBody } from '../../shared/wire/trends.ts';
import type { Playable } from '../cursor/playing.ts';
import { getJson } from '../data/http/http.ts';
import { useUnwatched } from '../data/queries/unwatched.ts';

const MOST_BINS = 200;

/** Behind the slider: where lock events happened, faintly, and diagonal lines where nothing was watched. */
export function ScrubTrack({ whole }: { whole: Playable }) {
  const { from, to } = whole;
  const { data } = useQuery({
    queryKey: ['scrub', from, to],
    queryFn: ({ signal }) => getJson<typeof trendsBody>(`/api/trends?from=${from}&to=${to}&bins=${MOST_BINS}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const unwatched = useUnwatched()?.times ?? [];
  const place = (begin: number, end: number) => {
    const left = Math.max(0, (begin - from) / Math.max(1, to - from));
    const right = Math.min(1, (end - from) / Math.max(1, to - from));
    return { left: `${100 * left}%`, width: `${100 * Math.max(0, right - left)}%` };
  };
  const micros = (data?.binMs ?? 0) * 1000;
  const bins = data?.bins ?? [];
  const most = Math.max(1, ...bins.map(({ events }) => events ?? 0));
  const blind = [...unwatched, ...bins.filter(isUnwatched).map(({ at }) => ({ from: at, to: at + micros }))];
  return (
    <div className="scrub-marks" aria-hidden="true">
      {blind.map((spot) => (
        <span key={`blind ${spot.from}`} className="is-blind" style={place(spot.from, spot.to)} />
      ))}
      {bins.map(
        ({ at, events }) =>
          (events ?? 0) > 0 && (
            <span
              key={at}
              className="is-active"
              style={{ ...place(at, at + micros), height: `${20 + (80 * (events ?? 0)) / most}%` }}
            />
          ),
      )}
    </div>
  );
}

function isUnwatched({ seen }: TrendBin): boolean {
  return seen === 'unwatched';
}

import { useReadNow } from '../range/use-read-now.ts';
import { Segments } from '../ui/Segments.tsx';
import { isSpan, spanBefore, spanOf } from '../url/range.ts';
import type { WaitsRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { USUAL_MINUTES } from '../url/waits-link.ts';
import { useWords } from '../words/language.ts';
import { RangeChoice } from './RangeChoice.tsx';

type RangesProps = {
  route: WaitsRoute;
  /** The cursor, where the last minutes end; null: they end now. */
  at: number | null;
};

const COMPARED = ['none', 'before', 'chosen'] as const;

/** The range to compare the shown one with, and how to choose it. */
export function Ranges({ route, at }: RangesProps) {
  const { compare } = useWords().waits;
  const readNow = useReadNow();
  const { range = USUAL_MINUTES, compared } = route;
  const choose = (other: (typeof COMPARED)[number]) => {
    const next = { none: null, before: 'before', chosen: spanBefore(spanOf(range, at ?? readNow())) } as const;
    navigate({ ...route, compared: next[other] }, { replace: true });
  };
  return (
    <div className="waits-ranges">
      <div className="waits-range-choice">
        <span className="waits-label" aria-hidden="true">
          {compare.with}
        </span>
        <Segments
          label={compare.with}
          value={compared === null ? 'none' : compared === 'before' ? 'before' : 'chosen'}
          options={COMPARED.map((value) => ({ value, label: compare.options[value] }))}
          onChange={choose}
        />
      </div>
      {compared !== null && compared !== 'before' && (
        <>
          <RangeChoice
            label={compare.other}
            value={compared}
            end={at ?? readNow()}
            isAtCursor={at !== null}
            onChange={(value) => navigate({ ...route, compared: value }, { replace: !isSpan(value) })}
          />
          <button
            type="button"
            className="button is-small"
            onClick={() => navigate({ ...route, range: compared, compared: range })}
          >
            {compare.swap}
          </button>
        </>
      )}
    </div>
  );
}

import { millisBetween, redisTime } from '../../shared/base/time.ts';
import { timelineIn } from '../cursor/routes-now.ts';
import { useLiveStore } from '../data/use-live.ts';
import { Segments } from '../ui/Segments.tsx';
import { durationText, millisText } from '../ui/time-text.ts';
import type { WaitsRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { type ChosenStretch, isSpan, type WaitsLink } from '../url/waits-link.ts';
import { useWords } from '../words/language.ts';
import { StretchChoice } from './StretchChoice.tsx';

type StretchesProps = {
  route: WaitsRoute;
  /** The cursor, where the last minutes end; null: they end now. */
  at: number | null;
};

const COMPARED = ['none', 'before', 'chosen'] as const;

/** The shown stretch, the one to compare with, and how to choose both. */
export function Stretches({ route, at }: StretchesProps) {
  const { waits: texts } = useWords();
  const { compare } = texts;
  const { clock } = useLiveStore();
  const { stretch, compared } = route;
  const one = stretch ?? route.minutes;
  const choose = (other: (typeof COMPARED)[number]) => {
    const now = Math.round(at ?? clock.at(Date.now()) ?? Date.now() * 1000);
    const next = { none: null, before: 'before', chosen: spanBefore(one, now) } as const;
    navigate({ ...route, compared: next[other] }, { replace: true });
  };
  return (
    <div className="waits-stretches">
      <StretchChoice
        label={texts.stretch}
        value={one}
        at={at}
        onChange={(value) => navigate({ ...route, ...asFirst(value) }, { replace: !isSpan(value) })}
      />
      {stretch && compared === null && (
        <p className="waits-stretch">
          <b>
            {texts.between(
              millisText(stretch.from),
              millisText(stretch.to),
              durationText(millisBetween(stretch.from, stretch.to)),
            )}
          </b>
          <Link to={timelineIn(stretch)}>{texts.inTimeline}</Link>
        </p>
      )}
      <div className="waits-stretch-choice">
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
          <StretchChoice
            label={compare.other}
            value={compared}
            at={at}
            onChange={(value) => navigate({ ...route, compared: value }, { replace: !isSpan(value) })}
          />
          <button
            type="button"
            className="button is-small"
            onClick={() => navigate({ ...route, ...asFirst(compared), compared: one })}
          >
            {compare.swap}
          </button>
        </>
      )}
    </div>
  );
}

function asFirst(value: ChosenStretch): Partial<WaitsLink> {
  return isSpan(value) ? { stretch: value } : { stretch: null, minutes: value };
}

/** The stretch of the same length before; the reader changes it from there. */
function spanBefore(one: ChosenStretch, now: number): ChosenStretch {
  const { from, to } = isSpan(one) ? one : { from: now - one * 60_000_000, to: now };
  return { from: redisTime(from - (to - from)), to: redisTime(from) };
}

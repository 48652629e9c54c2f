import './range.css';
import { CalendarClock, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { useCursor } from '../cursor/cursor.ts';
import { chooseRange } from '../cursor/range.ts';
import { useHasStore } from '../data/queries/queries.ts';
import { Icon } from '../ui/Icon.tsx';
import { Popover } from '../ui/Popover.tsx';
import { endTexts } from '../ui/time-text.ts';
import {
  type ChosenRange,
  isSpan,
  type LinkSpan,
  RANGE_MINUTES,
  STORED_DAYS,
  spanAfter,
  spanBefore,
  spanOf,
  spanOfDays,
} from '../url/range.ts';
import { navigate } from '../url/router.tsx';
import { USUAL_MINUTES } from '../url/waits-link.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { type RangedRoute, rangeOf, withRange } from './ranged-route.ts';
import { SpanForm } from './SpanForm.tsx';
import { useReadNow } from './use-read-now.ts';

/** The range of time of a page, in the header: the last minutes, any two instants, and steps back and forward. */
export function RangeControl({ route }: { route: RangedRoute }) {
  const { range: words } = useWords();
  const readNow = useReadNow();
  const cursor = useCursor();
  const at = cursor.mode === 'paused' ? cursor.at : null;
  const range = rangeOf(route);
  const shown = () => spanOf(range ?? USUAL_MINUTES, at ?? readNow());
  const choose = (next: ChosenRange | null) => {
    chooseRange(next);
    navigate(withRange(route, next, readNow()));
  };
  const forward = () => {
    const next = spanAfter(shown());
    const minutes = RANGE_MINUTES.find((each) => each * 60_000_000 === next.to - next.from);
    choose(next.to >= readNow() && minutes !== undefined ? minutes : next);
  };
  return (
    <span className="range-control">
      <Step label={words.back} icon={ChevronLeft} onClick={() => choose(spanBefore(shown()))} />
      <Popover
        label={
          <>
            <Icon of={CalendarClock} /> <span className="only-heard">{words.title}: </span>
            {textOf(route, range, at, words)}
          </>
        }
        title={words.title}
        className="button is-quiet range-button"
      >
        {(close) => (
          <RangeBody
            span={shown()}
            range={range}
            isAtCursor={at !== null && !isSpan(range)}
            onChoose={(next) => {
              choose(next);
              close();
            }}
          />
        )}
      </Popover>
      <Step label={words.forward} icon={ChevronRight} isOff={at === null && !isSpan(range)} onClick={forward} />
    </span>
  );
}

type StepProps = { label: string; icon: typeof ChevronLeft; isOff?: boolean; onClick: () => void };

function Step({ label, icon, isOff = false, onClick }: StepProps) {
  return (
    <button
      type="button"
      className="button is-quiet"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  );
}

type RangeBodyProps = {
  span: LinkSpan;
  range: ChosenRange | null;
  isAtCursor: boolean;
  onChoose: (range: ChosenRange | null) => void;
};

function RangeBody({ span, range, isAtCursor, onChoose }: RangeBodyProps) {
  const { range: words } = useWords();
  // now moves on, and must not change what the user types
  const [first] = useState(span);
  const readNow = useReadNow();
  const hasStore = useHasStore();
  const end = () => (isAtCursor ? span.to : readNow());
  return (
    <div className="popover-body range-body">
      <h2>{words.title}</h2>
      <p className="range-presets">
        {RANGE_MINUTES.map((each) => (
          <button
            key={each}
            type="button"
            className="button is-small"
            aria-pressed={range === each}
            onClick={() => onChoose(each)}
          >
            {isAtCursor ? words.before(each) : words.last(each)}
          </button>
        ))}
        {hasStore &&
          STORED_DAYS.map((days) => (
            <button
              key={days}
              type="button"
              className="button is-small"
              onClick={() => onChoose(spanOfDays(days, end()))}
            >
              {words.days(days)}
            </button>
          ))}
      </p>
      <SpanForm label={words.own} span={first} onChange={onChoose} />
      {range !== null && (
        <p>
          <button type="button" className="button is-small" onClick={() => onChoose(null)}>
            {words.none}
          </button>
        </p>
      )}
    </div>
  );
}

function textOf(route: RangedRoute, range: ChosenRange | null, at: RedisTime | null, words: Words['range']): string {
  if (isSpan(range)) return words.between(...endTexts(range.from, range.to));
  // the timeline without a range shows its own window around now or the cursor
  const isOfInstant =
    route.page === 'graph' || route.page === 'clients' || (route.page === 'timeline' && range === null);
  if (isOfInstant) return at === null ? words.now : words.atCursor;
  const minutes = range ?? (route.page === 'overview' || route.page === 'waits' ? USUAL_MINUTES : null);
  if (minutes === null) return words.anyTime;
  return at === null ? words.last(minutes) : words.before(minutes);
}

import { memo, type PointerEvent, useEffect, useId, useMemo, useRef } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ReferenceArea, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { roundText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { binDots, binSteps, gapsFrom, isSeen, peakOf, type TrendPoint } from './bin-trend.ts';
import { type Hairline, instantAt, PLOT_LEFT_PX, PLOT_RIGHT_PX, pixelAt, readingLeft } from './hairline.ts';
import { logBounds } from './log-scale.ts';

const HEIGHT_PX = 64;
const MARGIN = { top: 6, right: PLOT_RIGHT_PX, bottom: 2, left: 0 };
const MINUTE_MICROS = 60_000_000;

type TrendChartProps = {
  title: string;
  hint?: string;
  /** Waiters are an area, waits are dots, other figures are lines: charts differ in shape, not only in colour. */
  shape: 'area' | 'dots' | 'line';
  /** The colour of a line. */
  ink?: 'hold' | 'wait';
  /** True for lengths in ms on a logarithmic axis, so that one long wait does not flatten all other waits. */
  isLog?: boolean;
  points: readonly TrendPoint[];
  binMicros: number;
  /** Shown for a watched bin without a value. */
  nothing: string;
  /**
   * The value now is greater than every point, because points are counted only every few seconds. The peak of the
   * points would be wrong then.
   */
  isAboveNow?: boolean;
  textOf: (value: number) => string;
  /** How an instant is shown; absent: to the second. */
  timeText?: (at: number) => string;
  hairline: Hairline;
  /** Problems that began, as ticks at the top. */
  problems: readonly ProblemBegan[];
};

/** A problem that began at `at` (µs), with the event `seq`. */
export type ProblemBegan = { readonly seq: number; readonly at: number; readonly isCritical: boolean };

/** One number over time. Unwatched time is hatched, time that is not in memory is a plain area: neither is drawn as zero. */
export function TrendChart(props: TrendChartProps) {
  const { title, hint, points, binMicros, isAboveNow = false, textOf, timeText = secondsText, ...rest } = props;
  const words = useWords().charts;
  const peak = peakOf(points);
  const from = points[0]?.at ?? 0;
  const to = (points.at(-1)?.at ?? 0) + binMicros;
  return (
    <figure className="trend">
      <figcaption title={hint}>
        <span>{title}</span>
        <span className="quiet">
          {isAboveNow
            ? null
            : peak && peak.value > 0
              ? words.mostWas(valueText(textOf(peak.value), peak.isAtLeast, words), timeText(peak.at))
              : points.some(isSeen)
                ? rest.nothing
                : words.sight[points.at(-1)?.sight ?? 'forgotten']}
        </span>
      </figcaption>
      <Plot points={points} binMicros={binMicros} textOf={textOf} timeText={timeText} {...rest} from={from} to={to} />
    </figure>
  );
}

type PlotProps = Omit<TrendChartProps, 'title' | 'hint' | 'isAboveNow'> & {
  timeText: (at: number) => string;
  from: number;
  to: number;
};

/** Memoized, because the page around it may render many times a second. */
const Plot = memo(function Plot(props: PlotProps) {
  const {
    shape,
    ink = 'hold',
    isLog = false,
    points,
    binMicros,
    nothing,
    textOf,
    timeText,
    hairline,
    problems,
    from,
    to,
  } = props;
  const plot = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const reading = useRef<HTMLDivElement>(null);
  const hatch = useId();
  const words = useWords().charts;
  const [bottom, top] = useMemo(() => boundsOf(points, isLog), [points, isLog]);
  const isScaled = top > bottom;
  const isDots = shape === 'dots';
  const data = useMemo(
    () =>
      (isDots ? binDots(points, binMicros) : binSteps(points, binMicros)).map((each) => ({
        ...each,
        value: each.value && Math.max(bottom, each.value),
      })),
    [isDots, points, binMicros, bottom],
  );

  useEffect(() => {
    const place = (at: number | null) => {
      if (!plot.current || !line.current || !reading.current) return;
      const width = plot.current.clientWidth;
      const x = at === null ? null : pixelAt(at, width, from, to);
      line.current.hidden = x === null;
      reading.current.hidden = x === null;
      if (at === null || x === null) return;
      line.current.style.transform = `translateX(${Math.round(x)}px)`;
      const point = points.findLast((other) => other.at <= at);
      const value =
        !point || !isSeen(point)
          ? ''
          : point.value === null
            ? nothing
            : valueText(textOf(point.value), point.isAtLeast, words);
      const sight = point?.sight ?? 'forgotten';
      const text = sight === 'watched' ? value : [value, words.sight[sight]].filter((part) => part !== '').join(', ');
      reading.current.textContent = words.reading(timeText(at), text);
      reading.current.style.transform = `translateX(${readingLeft(x, width, reading.current.offsetWidth)}px)`;
    };
    place(hairline.at());
    return hairline.subscribe(place);
  }, [hairline, points, from, to, nothing, textOf, timeText, words]);

  const move = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    hairline.move(instantAt(event.clientX - box.left, box.width, from, to));
  };
  const series = { dataKey: 'value', isAnimationActive: false, connectNulls: false } as const;
  return (
    <div
      ref={plot}
      className="trend-plot"
      aria-hidden="true"
      onPointerMove={move}
      onPointerLeave={() => hairline.move(null)}
    >
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 240, height: HEIGHT_PX }}>
        <ComposedChart data={data} margin={MARGIN} accessibilityLayer={false}>
          <defs>
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0V6" stroke="var(--muted)" strokeWidth="1.4" />
            </pattern>
          </defs>
          <CartesianGrid stroke="var(--line)" horizontal={false} />
          <XAxis
            dataKey="at"
            type="number"
            domain={[from, to]}
            ticks={ticksOf(points, binMicros)}
            tick={false}
            height={3}
            stroke="var(--line-strong)"
            tickSize={3}
          />
          <YAxis
            width={PLOT_LEFT_PX}
            scale={isLog ? 'log' : 'linear'}
            domain={[bottom, isScaled ? top : bottom + 1]}
            ticks={isScaled ? [bottom, top] : isLog ? [] : [bottom]}
            // without this, a chart without a value has no scale, so its gaps are not drawn
            allowDataOverflow
            tick={(tick: { x: number | string; y: number | string; payload: { value: number } }) => (
              <AxisTick
                x={Number(tick.x)}
                y={Number(tick.y)}
                text={
                  isLog ? roundText(tick.payload.value) : tick.payload.value === 0 ? '0' : textOf(tick.payload.value)
                }
              />
            )}
            stroke="var(--line-strong)"
            tickSize={3}
            interval={0}
          />
          {gapsFrom(points, binMicros).map(({ sight, from, to }) => (
            <ReferenceArea
              key={from}
              x1={from}
              x2={to}
              {...(sight === 'partly'
                ? { y1: bottom, y2: isLog ? bottom * (top / bottom) ** 0.2 : top / 5 || 0.2 }
                : {})}
              fill={sight === 'forgotten' ? 'var(--band)' : sight === 'hidden' ? 'none' : `url(#${hatch})`}
              fillOpacity={sight === 'forgotten' ? 1 : 0.55}
              {...(sight === 'forgotten' ? { label: <UnseenLabel text={words.sight.forgotten} /> } : {})}
            />
          ))}
          {shape === 'area' && (
            <Area {...series} stroke="var(--wait)" strokeWidth={1.5} fill="var(--wait)" fillOpacity={0.3} />
          )}
          {shape === 'line' && <Line {...series} stroke={`var(--${ink})`} strokeWidth={1.75} dot={false} />}
          {isDots && (
            <Line
              {...series}
              stroke="var(--muted)"
              strokeDasharray="2 3"
              strokeWidth={1}
              dot={{ r: 2.5, fill: 'var(--ink)', stroke: 'var(--page)', strokeWidth: 1, strokeDasharray: '' }}
              activeDot={false}
            />
          )}
        </ComposedChart>
      </ResponsiveContainer>
      {problems.map(
        ({ seq, at, isCritical }) =>
          at >= from &&
          at <= to && (
            <span
              key={seq}
              className={isCritical ? 'trend-problem is-critical' : 'trend-problem'}
              style={{ left: placeOf((at - from) / (to - from)) }}
            />
          ),
      )}
      <div className="trend-hairline" ref={line} hidden />
      <div className="trend-reading" ref={reading} hidden />
    </div>
  );
});

/** The CSS position of a share of the time range (0 to 1), in a plot of any width. */
function placeOf(share: number): string {
  return `calc(${PLOT_LEFT_PX}px + ${share} * (100% - ${PLOT_LEFT_PX + PLOT_RIGHT_PX}px))`;
}

function valueText(text: string, isAtLeast: boolean | undefined, words: Words['charts']): string {
  return isAtLeast ? words.atLeast(text) : text;
}

/** The bounds of the axis: from 0 to the greatest value, or round lengths. Without a value above 0 they are equal. */
function boundsOf(points: readonly TrendPoint[], isLog: boolean): [bottom: number, top: number] {
  if (!isLog) return [0, peakOf(points)?.value ?? 0];
  const lengths = points.flatMap(({ value }) => value ?? []);
  return lengths.length === 0 ? [1, 1] : logBounds(lengths);
}

/** The label of a tick of the vertical axis. A text that is too wide for one line has two. */
function AxisTick({ x, y, text }: { x: number; y: number; text: string }) {
  const lines = text.length * LETTER_PX <= PLOT_LEFT_PX ? [text] : (text.match(/\S+(?: \S+)?/g) ?? []);
  return (
    <text x={x} y={y} fill="var(--muted)" fontSize={12} textAnchor="end">
      {lines.map((line, n) => (
        <tspan key={line} x={x} dy={n === 0 ? '0.35em' : '1.1em'}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

type UnseenLabelProps = { text: string; viewBox?: { x: number; y: number; width: number; height: number } };

/** The label of a range without values, if it fits. It is at the bottom, because the reading of the cursor is at the top. */
function UnseenLabel({ text, viewBox }: UnseenLabelProps) {
  if (!viewBox || viewBox.width < text.length * LETTER_PX) return null;
  return (
    <text
      x={viewBox.x + viewBox.width / 2}
      y={viewBox.y + viewBox.height - 1}
      textAnchor="middle"
      fill="var(--muted)"
      fontSize={12}
    >
      {text}
    </text>
  );
}

/** Approximate width of a letter at a font size of 12 px. */
const LETTER_PX = 6.5;

/** The beginning of each bin that has a minute or more, else each whole minute. */
function ticksOf(points: readonly TrendPoint[], binMicros: number): number[] {
  if (binMicros >= MINUTE_MICROS) return points.map(({ at }) => at);
  const from = points[0]?.at ?? 0;
  const to = (points.at(-1)?.at ?? 0) + binMicros;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / MINUTE_MICROS) * MINUTE_MICROS; at <= to; at += MINUTE_MICROS) ticks.push(at);
  return ticks;
}

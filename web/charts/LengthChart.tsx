import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { countText, durationText, roundText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { binLengths, type LengthBin, spreadOf } from './bin-lengths.ts';
import { NumbersTable } from './NumbersTable.tsx';

const HEIGHT_PX = 96;
const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };

type LengthChartProps = {
  title: string;
  /** Formats a count, for example `12 holds`. */
  countOf: (n: number) => string;
  lengthsMs: readonly number[];
  /** Fill of the bars, as on the timeline: solid for holds, hatched for waits. */
  shape: 'solid' | 'hatched';
  /** How the holds or waits ended, one text per reason. */
  ends: readonly string[];
  /** A text about holds or waits that are still in progress; null if there are none. */
  still: string | null;
  /** Texts about what the numbers leave out. */
  notes: readonly string[];
  /** Shown if none has ended yet. */
  empty: string;
};

/** Durations of holds or waits: count, median, longest, a histogram, how they ended, and a table of the histogram. */
export default function LengthChart({ title, countOf, lengthsMs, shape, ends, still, notes, empty }: LengthChartProps) {
  const words = useWords().charts;
  const spread = spreadOf(lengthsMs);
  const bins = binLengths(lengthsMs);
  return (
    <section aria-label={title} className="panel lengths">
      <h2>{title}</h2>
      {spread.medianMs === null || spread.maxMs === null ? (
        <p className="quiet">{empty}</p>
      ) : (
        <>
          <p className="length-figures">
            <b>{countOf(spread.count)}</b> <span>{words.median(durationText(spread.medianMs))}</span>{' '}
            <span>{words.longest(durationText(spread.maxMs))}</span>
          </p>
          <Histogram bins={bins} shape={shape} />
          <LengthTable title={title} bins={bins} />
        </>
      )}
      {ends.length > 0 && (
        <p>
          <span className="quiet">{words.ended}</span> {ends.join(', ')}
        </p>
      )}
      {still !== null && <p>{still}</p>}
      {notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
    </section>
  );
}

function Histogram({ bins, shape }: { bins: readonly LengthBin[]; shape: LengthChartProps['shape'] }) {
  const words = useWords().charts;
  const data = bins.map((bin) => ({ ...bin, name: words.range(roundText(bin.from), roundText(bin.to)) }));
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const hue = shape === 'solid' ? 'var(--hold)' : 'var(--wait)';
  const id = `lengths-${shape}`;
  return (
    <div className="length-plot" aria-hidden="true">
      <ResponsiveContainer width="100%" height={HEIGHT_PX} initialDimension={{ width: 320, height: HEIGHT_PX }}>
        <BarChart data={data} margin={MARGIN} barCategoryGap={1} accessibilityLayer={false}>
          <defs>
            <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0V5" stroke={hue} strokeWidth="2.4" />
            </pattern>
          </defs>
          <XAxis
            dataKey="name"
            tick={{ fill: 'var(--muted)', fontSize: 12 }}
            stroke="var(--line-strong)"
            tickSize={3}
            height={20}
            minTickGap={12}
          />
          <YAxis
            width={34}
            domain={[0, most]}
            ticks={[0, most]}
            tickFormatter={(value: number) => countText(value)}
            tick={{ fill: 'var(--muted)', fontSize: 12 }}
            stroke="var(--line-strong)"
            tickSize={3}
            interval={0}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--hover)' }}
            content={({ payload }) => <Reading bin={payload?.[0]?.payload as LengthBin | undefined} />}
          />
          <Bar
            dataKey="count"
            isAnimationActive={false}
            minPointSize={(value) => (value === 0 || value === null ? 0 : 2)}
            fill={shape === 'solid' ? hue : `url(#${id})`}
            stroke={hue}
            maxBarSize={60}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function Reading({ bin }: { bin: LengthBin | undefined }) {
  const words = useWords().charts;
  if (!bin) return null;
  return (
    <div className="chart-tip">
      {words.reading(words.range(roundText(bin.from), roundText(bin.to)), countText(bin.count))}
    </div>
  );
}

function LengthTable({ title, bins }: { title: string; bins: readonly LengthBin[] }) {
  const words = useWords().charts;
  const rows = bins.map(({ from, to, count }) => ({
    key: from,
    head: words.range(roundText(from), roundText(to)),
    cells: [countText(count)],
  }));
  return <NumbersTable title={title} heads={[words.length, words.count]} rows={rows} />;
}

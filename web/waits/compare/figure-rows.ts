import type { ShownWaits } from '../../data/queries/waits.ts';
import { countText, durationText, rateText } from '../../ui/time-text.ts';
import { type Change, changeOfEach, changeOfSum, gapsOf, type Measured, NEEDED_P95 } from './comparison.ts';

type Statistics = ShownWaits['statistics'];
export const SPREADS = ['waits', 'holds', 'wakeUps'] as const;
export type SpreadName = (typeof SPREADS)[number];
export const GROUPS = ['waits', 'allWaits', 'holds', 'wakeUps', 'lease'] as const;
type GroupName = (typeof GROUPS)[number];

const FIGURES = [
  ...['count', 'median', 'p95', 'longest', 'together', 'gaveUp', 'refusals'],
  ...['expired', 'leftMedian', 'leftP5', 'leftLeast'],
] as const;
type FigureName = (typeof FIGURES)[number];

/**
 * What a cell shows: a figure, or why it is missing. `nothing`: all was seen, and there was nothing. `none`: nothing was
 * seen, but a part of the range was unseen. `unseen`: a source was unseen for the whole range.
 */
export type CellText = { readonly text: string } | 'nothing' | 'none' | 'unseen' | 'not-loaded';
type FigureRow = {
  readonly name: FigureName;
  readonly one: CellText;
  readonly other: CellText;
  /** Null: this figure has no ratio. The longest length, for example, depends on how many there are. */
  readonly change: Change | null;
};

type Figure = {
  readonly name: FigureName;
  readonly of: (waits: ShownWaits) => Measured | null;
  readonly text: (value: number) => string;
  readonly ratio: 'each' | 'p95' | 'sum' | 'none';
};

const percent = (part: number) => `${Math.round(part * 100)} %`;

function spreadFigures(name: SpreadName): Figure[] {
  const spread = (key: 'medianMs' | 'p95Ms' | 'longestMs') => (waits: ShownWaits) => {
    const found = waits.statistics[name];
    return found && { value: found[key], samples: found.count };
  };
  const count = (waits: ShownWaits) => counted(waits.statistics[name]?.count ?? 0);
  return [
    { name: 'count', of: count, text: countText, ratio: 'sum' },
    { name: 'median', of: spread('medianMs'), text: durationText, ratio: 'each' },
    { name: 'p95', of: spread('p95Ms'), text: durationText, ratio: 'p95' },
    { name: 'longest', of: spread('longestMs'), text: durationText, ratio: 'none' },
  ];
}

function counted(n: number): Measured {
  return { value: n, samples: n };
}

function refusalsOf({ refusals, waits }: Statistics): Measured | null {
  return waits && { value: refusals / waits.count, samples: waits.count };
}

/** The share of its lease that a hold had left: 1 minus the share that it used. */
function leaseLeft(used: 'median' | 'p95' | 'greatest') {
  return ({ statistics: { leaseUsed } }: ShownWaits): Measured | null =>
    leaseUsed && { value: Math.max(0, 1 - leaseUsed[used]), samples: leaseUsed.count };
}

const TABLE: { readonly [G in GroupName]: readonly Figure[] } = {
  waits: [
    ...spreadFigures('waits'),
    { name: 'refusals', of: ({ statistics }) => refusalsOf(statistics), text: rateText, ratio: 'each' },
  ],
  allWaits: [
    {
      name: 'together',
      of: ({ total }) => ({ value: total.waitedMs, samples: total.waits, isAtLeast: total.isAtLeast }),
      text: durationText,
      ratio: 'sum',
    },
    { name: 'gaveUp', of: ({ statistics }) => counted(statistics.gaveUp), text: countText, ratio: 'sum' },
  ],
  holds: [
    ...spreadFigures('holds'),
    { name: 'expired', of: ({ statistics }) => counted(statistics.expired), text: countText, ratio: 'sum' },
  ],
  wakeUps: spreadFigures('wakeUps'),
  lease: [
    { name: 'leftMedian', of: leaseLeft('median'), text: percent, ratio: 'each' },
    { name: 'leftP5', of: leaseLeft('p95'), text: percent, ratio: 'p95' },
    { name: 'leftLeast', of: leaseLeft('greatest'), text: percent, ratio: 'none' },
  ],
};

/** The figures of both ranges, one row each. Undefined: the range is not loaded. */
export function figureRows(
  group: GroupName,
  one: ShownWaits | undefined,
  other: ShownWaits | undefined,
): readonly FigureRow[] {
  return TABLE[group].map((figure) => ({
    name: figure.name,
    one: cellOf(figure, one),
    other: cellOf(figure, other),
    change: changeOf(figure, one, other),
  }));
}

function cellOf({ of, text }: Figure, waits: ShownWaits | undefined): CellText {
  if (!waits) return 'not-loaded';
  const measured = of(waits);
  if (measured && measured.samples > 0) return { text: `${measured.isAtLeast ? '≥ ' : ''}${text(measured.value)}` };
  return absenceIn(waits) ?? (measured ? { text: text(measured.value) } : 'nothing');
}

/** What a missing figure of a range means if not all of the range was seen; null: all was seen. */
export function absenceIn(waits: ShownWaits): 'none' | 'unseen' | null {
  const { from, to, unseen } = waits;
  if (unseen.some(({ ms }) => ms * 1000 >= to - from)) return 'unseen';
  return gapsOf(waits).length > 0 ? 'none' : null;
}

/** As `absenceIn`, for two ranges: what the first missing figure means. */
export function absenceInEither(one: ShownWaits | undefined, other: ShownWaits | undefined) {
  if (!one || !other) return 'not-loaded';
  return absenceIn(one) ?? absenceIn(other);
}

function changeOf({ of, ratio }: Figure, one: ShownWaits | undefined, other: ShownWaits | undefined): Change | null {
  if (ratio === 'none') return null;
  const sights = { one, other };
  const measured = { one: one ? of(one) : null, other: other ? of(other) : null };
  if (ratio === 'p95') return changeOfEach(sights, measured, NEEDED_P95);
  if (ratio === 'each') return changeOfEach(sights, measured);
  const none = counted(0);
  return changeOfSum(sights, { one: measured.one ?? none, other: measured.other ?? none });
}

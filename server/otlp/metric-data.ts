import type { Attributes, HrTime } from '@opentelemetry/api';
import type { DataPoint, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { MetricPoint, MetricValues } from '../metrics/exposition.ts';
import type { Origin } from './span-from.ts';

/** `AggregationTemporality.CUMULATIVE` and `ValueType.DOUBLE`: constants of the SDK. */
const CUMULATIVE = 1;
const DOUBLE = 1;

/** The units of metrics, by the end of their names. */
const UNITS: readonly (readonly [string, string])[] = [
  ['_seconds', 's'],
  ['_seconds_total', 's'],
  ['_bytes', 'By'],
  ['_ratio', '1'],
];

type Series = { readonly start: HrTime; readonly value: number };

/** Since when each series is counted. A series that is new, or whose value fell, began after the collection before. */
export class SeriesStarts {
  #known = new Map<string, Series>();
  #next = new Map<string, Series>();
  #last: HrTime;

  /** `began`: when counting began. */
  constructor(began: HrTime) {
    this.#last = began;
  }

  startOf(name: string, { labels, value }: MetricPoint): HrTime {
    const key = `${name} ${JSON.stringify(labels)}`;
    const known = this.#known.get(key);
    const start = known && value >= known.value ? known.start : this.#last;
    this.#next.set(key, { start, value });
    return start;
  }

  /** Ends a collection: series that were not in it are forgotten. */
  collected(at: HrTime): void {
    this.#last = at;
    this.#known = this.#next;
    this.#next = new Map();
  }
}

/** The metrics of /metrics as the SDK exports them: cumulative, with the same names, labels and buckets. */
export function metricsFrom(
  all: readonly MetricValues[],
  { now, starts, origin }: { readonly now: HrTime; readonly starts: SeriesStarts; readonly origin: Origin },
): ResourceMetrics {
  const { resource, scope } = origin;
  const metrics = all.filter(({ points }) => points.length > 0).map((each) => dataOf(each, now, starts));
  starts.collected(now);
  return { resource, scopeMetrics: [{ scope, metrics }] };
}

function dataOf({ name, help, type, points }: MetricValues, now: HrTime, starts: SeriesStarts): MetricData {
  const unit = UNITS.find(([end]) => name.endsWith(end))?.[1] ?? '';
  const common = {
    descriptor: { name, description: help, unit, valueType: DOUBLE },
    aggregationTemporality: CUMULATIVE,
  } as const;
  const at = <T>(point: MetricPoint, value: T, startTime: HrTime): DataPoint<T> => {
    return { startTime, endTime: now, attributes: attributesOf(point), value };
  };
  if (type === 'gauge')
    return { ...common, dataPointType: 2, dataPoints: points.map((each) => at(each, each.value, now)) };
  if (type === 'counter') {
    const dataPoints = points.map((each) => at(each, each.value, starts.startOf(name, each)));
    return { ...common, dataPointType: 3, isMonotonic: true, dataPoints };
  }
  return {
    ...common,
    dataPointType: 0,
    dataPoints: points.map((each) => {
      const { upTo: boundaries = [], counts = [], sum = 0, value: count } = each;
      return at(
        each,
        { buckets: { boundaries: [...boundaries], counts: [...counts] }, sum, count },
        starts.startOf(name, each),
      );
    }),
  };
}

function attributesOf({ labels }: MetricPoint): Attributes {
  return { ...labels };
}

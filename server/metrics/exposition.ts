import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';

/** The formats of an answer: the text format of Prometheus, and OpenMetrics, which has exemplars. */
export type MetricsFormat = 'text' | 'openmetrics';

export type MetricsText = { readonly contentType: string; readonly text: string };

/** The name, help and labels of a metric. */
type Described<L extends string> = {
  readonly name: `lockscope_${string}`;
  readonly help: string;
  readonly labelNames?: readonly L[];
};

/** The series of a metric; null or undefined: the series is absent, because its value is not known. */
export type Series<L extends string> = readonly [labels: Record<L, string>, value: number | null | undefined];

/** A metric with its series, as of now. */
export type MetricValues = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly MetricPoint[];
};

/**
 * One series. For a histogram, `value` is the number of its values. A bucket has the values above the end of the bucket
 * before it, up to its own end.
 */
export type MetricPoint = {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly sum?: number;
  /** Upper ends of the buckets. */
  readonly upTo?: readonly number[];
  /** The number of values in each bucket, and above the last bucket. */
  readonly counts?: readonly number[];
};

/** Replaces all series of a metric. */
export type Replace<L extends string> = (series: Iterable<Series<L>>) => void;

/** The metrics of one Lockscope, in a registry of its own, written in either format. */
export class Exposition {
  readonly #registry = new Registry<OpenMetricsContentType>();

  constructor() {
    // prom-client accepts metrics with exemplars only while its registry is set to OpenMetrics.
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  }

  /** A gauge whose series are replaced for each answer. */
  gauge<L extends string = never>({ labelNames = [], ...about }: Described<L>): Replace<L> {
    const gauge = new Gauge({ ...about, labelNames, registers: [this.#registry] });
    return (series) => {
      gauge.reset();
      // Without labels, a reset sets the gauge to 0.
      if (labelNames.length === 0) gauge.remove();
      for (const [labels, value] of series) if (typeof value === 'number') gauge.set(labels, value);
    };
  }

  /** A counter whose totals are kept elsewhere, and replaced for each answer. */
  total<L extends string>(about: Described<L>): Replace<L> {
    const counter = this.counter(about);
    return (series) => {
      counter.reset();
      for (const [labels, value] of series) if (typeof value === 'number') counter.inc(labels, value);
    };
  }

  counter<L extends string>({ labelNames = [], ...about }: Described<L>): Counter<L> {
    return new Counter({ ...about, labelNames, registers: [this.#registry] });
  }

  /** A histogram whose buckets show the newest value as an exemplar. */
  histogram<L extends string>({
    labelNames = [],
    ...about
  }: Described<L> & { readonly buckets: number[] }): Histogram<L> {
    return new Histogram({ ...about, labelNames, enableExemplars: true, registers: [this.#registry] });
  }

  /** The name, type and help of every metric. */
  described(): { readonly name: string; readonly help: string; readonly type: 'counter' | 'gauge' | 'histogram' }[] {
    this.#nameCounters();
    return this.#registry
      .getMetricsAsArray()
      .map((metric) => ({ name: metric.name, help: metric.help, type: typeOf(metric) }));
  }

  async values(): Promise<MetricValues[]> {
    this.#nameCounters();
    const all = await this.#registry.getMetricsAsJSON();
    return this.described().map((about, n) => {
      const values: readonly RawValue[] = all[n]?.values ?? [];
      if (about.type === 'histogram') return { ...about, points: histogramPoints(values) };
      return { ...about, points: values.map(({ labels, value }) => ({ labels: textsOf(labels), value })) };
    });
  }

  /** All metrics as text. The caller waits for one text before it asks for the next. */
  async text(format: MetricsFormat): Promise<MetricsText> {
    this.#nameCounters();
    const contentType = format === 'text' ? Registry.PROMETHEUS_CONTENT_TYPE : Registry.OPENMETRICS_CONTENT_TYPE;
    // The cast is safe: the type only keeps exemplars out of the text format, and prom-client leaves them out itself.
    this.#registry.setContentType(contentType as OpenMetricsContentType);
    return { contentType, text: await this.#registry.metrics() };
  }

  /** prom-client removes `_total` from the names of counters when it writes OpenMetrics, and never adds it again. */
  #nameCounters(): void {
    for (const metric of this.#registry.getMetricsAsArray()) {
      if (metric instanceof Counter && !metric.name.endsWith('_total')) metric.name += '_total';
    }
  }
}

type RawValue = {
  readonly labels: object;
  readonly value: number;
  /** Only of a histogram: `NAME_bucket`, `NAME_sum` or `NAME_count`. */
  readonly metricName?: string;
};

/**
 * Puts the buckets, sum and count of each series together. Buckets are in order, and each bucket contains those before
 * it.
 */
function histogramPoints(values: readonly RawValue[]): MetricPoint[] {
  const points = new Map<
    string,
    { labels: Record<string, string>; value: number; sum: number; upTo: number[]; counts: number[] }
  >();
  for (const { labels, value, metricName } of values) {
    const { le, ...own } = textsOf(labels);
    const key = JSON.stringify(own);
    const point = points.get(key) ?? { labels: own, value: 0, sum: 0, upTo: [], counts: [] };
    points.set(key, point);
    if (le === undefined) point[metricName?.endsWith('_sum') ? 'sum' : 'value'] = value;
    else {
      if (le !== '+Inf') point.upTo.push(Number(le));
      point.counts.push(value - point.counts.reduce((all, count) => all + count, 0));
    }
  }
  return [...points.values()];
}

function textsOf(labels: object): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function typeOf(metric: object): 'counter' | 'gauge' | 'histogram' {
  if (metric instanceof Counter) return 'counter';
  return metric instanceof Histogram ? 'histogram' : 'gauge';
}

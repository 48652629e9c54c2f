import type { Exposition } from './exposition.ts';

/** How many items were exported over OTLP, and how many were not, by signal. */
export type OtlpTotals = {
  readonly sent: readonly (readonly [signal: string, count: number])[];
  readonly dropped: readonly (readonly [signal: string, reason: string, count: number])[];
};

/** What happened to the items of `--otlp`. Returns the function that sets its metrics. */
export function otlpMetrics(to: Exposition): (totals: OtlpTotals) => void {
  const sent = to.total({
    name: 'lockscope_otlp_sent_total',
    help: 'Spans, log records and metric points that a receiver of OpenTelemetry accepted. Absent without --otlp.',
    labelNames: ['signal'],
  });
  const dropped = to.total({
    name: 'lockscope_otlp_dropped_total',
    help: 'Those that were not exported. Reason: rate, open (too many at once), queue, or export (not accepted).',
    labelNames: ['signal', 'reason'],
  });
  return (totals) => {
    sent(totals.sent.map(([signal, count]) => [{ signal }, count]));
    dropped(totals.dropped.map(([signal, reason, count]) => [{ signal, reason }, count]));
  };
}

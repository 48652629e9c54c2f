import type { Bench, BenchReport } from './bench.ts';

import { bytesPerEvent } from './bytes-per-event.ts';
import { firstAnswer } from './first-answer.ts';
import { firstLoad } from './first-load.ts';
import { insights } from './insights.ts';
import { interpretEvents } from './interpret-events.ts';
import { memoryPerLock } from './memory-per-lock.ts';
import { monitorCost } from './monitor-cost.ts';
import { monitorLineCpu, monitorLineCpuSingle } from './monitor-line-cpu.ts';
import { pageForAnHour } from './page-for-an-hour.ts';
import { pageIdleCpu } from './page-idle-cpu.ts';
import { pageLiveCpu } from './page-live-cpu.ts';
import { pastAnswers } from './past-answers.ts';
import { redisToBrowser } from './redis-to-browser.ts';
import { replicationCost } from './replication-cost.ts';
import { serverThroughputEvents, serverThroughputMonitor, serverThroughputReplication } from './server-throughput.ts';
import { textFromReports } from './table.ts';
import { timelineFrame } from './timeline-frame.ts';

/** Every bench, in the order in which they run. */
const BENCHES: readonly Bench[] = [
  monitorLineCpu,
  monitorLineCpuSingle,
  monitorCost,
  replicationCost,
  serverThroughputMonitor,
  serverThroughputEvents,
  serverThroughputReplication,
  interpretEvents,
  insights,
  firstAnswer,
  memoryPerLock,
  pastAnswers,
  redisToBrowser,
  bytesPerEvent,
  timelineFrame,
  firstLoad,
  pageIdleCpu,
  pageLiveCpu,
  pageForAnHour,
];

const words = process.argv.slice(2);
const isJson = words.includes('--json');
const wanted = words.filter((word) => word !== '--json');
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const names = BENCHES.map((bench) => bench.name).join(', ');
  process.stderr.write(`There is no bench ${unknown.join(', ')}. Benches: ${names}.\n`);
  process.exit(2);
}

const reports: BenchReport[] = [];
for (const bench of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  const say = (progress: string) => process.stderr.write(`${bench.name}: ${progress}\n`);
  reports.push({ name: bench.name, unit: bench.unit, ...(await bench.run(say)) });
}
const goals = new Map(BENCHES.map((bench) => [bench.name, bench.goal]));
process.stdout.write(isJson ? `${JSON.stringify({ v: 1, benches: reports })}\n` : textFromReports(reports, goals));

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersAtSize } from './answers-at-size.ts';
import type { Bench, BenchReport } from './bench.ts';
import { bytesPerEvent } from './bytes-per-event.ts';
import { firstAnswer } from './first-answer.ts';
import { firstLoad } from './first-load.ts';
import { insights } from './insights.ts';
import { interpretEvents } from './interpret-events.ts';
import { monitorCost } from './monitor-cost.ts';
import { monitorLineCpu, monitorLineCpuSingle } from './monitor-line-cpu.ts';
import { type Options, optionsFrom } from './options.ts';
import { pageForAnHour } from './page-for-an-hour.ts';
import { pageIdleCpu } from './page-idle-cpu.ts';
import { pageLiveCpu } from './page-live-cpu.ts';
import { pastAnswers } from './past-answers.ts';
import { fleetSources } from './program/fleet-sources.ts';
import { idleSources } from './program/idle-sources.ts';
import { memoryPerLock } from './program/memory-per-lock.ts';
import { comparedWith, RecordedSchema, recordedWith, textFromRecorded } from './recorded.ts';
import { redisToBrowser } from './redis-to-browser.ts';
import { replicationCost } from './replication-cost.ts';
import { seek } from './seek.ts';
import { serverThroughputEvents, serverThroughputMonitor, serverThroughputReplication } from './server-throughput.ts';
import { textFromComparison, textFromReports } from './table.ts';
import { timelineFrame } from './timeline-frame.ts';
import { verdictDelay } from './verdict-delay.ts';
import { viewers } from './viewers.ts';

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
  answersAtSize,
  verdictDelay,
  firstAnswer,
  memoryPerLock,
  idleSources,
  fleetSources,
  seek,
  pastAnswers,
  redisToBrowser,
  bytesPerEvent,
  viewers,
  timelineFrame,
  firstLoad,
  pageIdleCpu,
  pageLiveCpu,
  pageForAnHour,
];

/** Relative to the checkout, where `npm run bench` runs: the compiled benches are in another folder. */
const RECORDED = join(process.cwd(), 'bench/recorded.json');

const options = readOptions();
const reports: BenchReport[] = [];
for (const bench of BENCHES) {
  if (options.wanted.length > 0 && !options.wanted.includes(bench.name)) continue;
  const print = (progress: string) => process.stderr.write(`${bench.name}: ${progress}\n`);
  reports.push({ name: bench.name, unit: bench.unit, ...(await bench.run(print)) });
}
const goals = new Map(BENCHES.map((bench) => [bench.name, bench.goal]));
process.stdout.write(
  options.isJson ? `${JSON.stringify({ v: 1, benches: reports })}\n` : textFromReports(reports, goals),
);

const recorded = RecordedSchema.parse(JSON.parse(readFileSync(RECORDED, 'utf8')));
if (options.isCheck) {
  const compared = comparedWith(recorded, reports, (name) =>
    BENCHES.some((bench) => bench.name === name && bench.isMoreBetter),
  );
  process.stderr.write(textFromComparison(compared));
  if (compared.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1;
}
if (options.isRecord) {
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(RECORDED, textFromRecorded(recordedWith(recorded, reports, today)));
}

function readOptions(): Options {
  try {
    const names = BENCHES.map(({ name }) => name);
    return optionsFrom(process.argv.slice(2), names);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}

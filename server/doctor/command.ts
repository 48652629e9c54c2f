import { createInterface } from 'node:readline/promises';
import { parseWatchUrl } from '../../shared/base/topology-url.ts';
import { isMeasured } from '../../shared/doctor/level-costs.ts';
import { failed } from '../cli/failed.ts';
import { printable } from '../cli/printable.ts';
import type { DoctorConfig } from './config.ts';
import { diagnose, type Findings, jsonFromFindings, textFromFindings, withCosts } from './diagnose.ts';
import { ROUNDS, stepsOf } from './measure.ts';

/** Runs `lockscope doctor`. Returns its exit code: 0 if all locks can be observed. */
export async function runDoctor({ redisUrl, json: isJson, measure }: DoctorConfig): Promise<number> {
  const url = parseWatchUrl(redisUrl);
  if (!url.ok) return failed(url.error);
  if (measure && !measure.isAgreed && !process.stdin.isTTY) {
    return failed(
      '--measure asks before it begins, and this is not a terminal. To begin without a question: --yes.',
      2,
    );
  }
  const { findings, places } = await diagnose(url.value);
  let found = findings;
  if (measure && findings.servers.some(({ canObserve }) => canObserve)) {
    if (measure.isAgreed || (await isAgreed(findings))) {
      found = await withCosts(findings, places, (text) => process.stderr.write(`measuring ${printable(text)}\n`));
    }
  }
  const columns = process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
  process.stdout.write(isJson ? `${JSON.stringify(jsonFromFindings(found))}\n` : textFromFindings(found, columns));
  return found.canObserve && found.servers.every(({ unseen }) => unseen === undefined) ? 0 : 1;
}

/** Asks on the terminal whether to measure. */
async function isAgreed({ servers }: Findings): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${questionOf({ servers })} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

/** What is about to run, and for how long. */
function questionOf({ servers }: Pick<Findings, 'servers'>): string {
  const measured = servers.filter(({ canObserve }) => canObserve);
  const levels = new Set(
    measured
      .flatMap((server) => server.levels.filter(({ level, works }) => works && isMeasured(level)))
      .map(({ level }) => level),
  );
  const seconds = measured.length * stepsOf(levels.size);
  const where = measured.length === 1 ? 'this server' : `each of ${measured.length} servers, one after the other`;
  const monitor = levels.has('monitor')
    ? ' MONITOR runs for about 2 s of it: Redis then copies every command to Lockscope.'
    : '';
  return (
    `This watches ${where} at the levels ${[...levels].join(', ')}, each ${ROUNDS} times for 1 s, and compares the CPU of Redis with the time between. ` +
    `It takes about ${seconds} s.${monitor} It is not begun while Redis is busy, and ended early if it does harm.\nMeasure now?`
  );
}

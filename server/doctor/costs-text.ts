import type { Costs, LevelCost } from '../../shared/wire/doctor.ts';
import { paragraph } from './paragraph.ts';

/** The costs of the levels as lines of text. */
export function textFromCosts({ levels, commandsPerSecond, cpuShare }: Costs, columns: number): string[] {
  const without =
    commandsPerSecond === null
      ? 'Redis does not report what it does, so nothing can be compared.'
      : `Without a level, Redis ran ${range(commandsPerSecond, count)} commands/s${cpuShare === null ? '' : ` and used ${range(cpuShare, percent)} of a core`}.`;
  return [
    '  Cost of each level, measured now',
    ...paragraph(without, columns),
    ...levels.flatMap((cost) => paragraph(`${cost.level.padEnd(8)}  ${sentenceOf(cost)}`, columns)),
  ];
}

function sentenceOf(cost: LevelCost): string {
  const { verdict, cpuShare, noiseShare, outputBytesPerSecond, onMs, problem } = cost;
  const figures =
    cpuShare === null
      ? ''
      : `${range(cpuShare, percent)} of a core more${outputBytesPerSecond === null ? '' : `, ${range(outputBytesPerSecond, bytes)} more output`}`;
  const on = `on for ${(onMs / 1000).toFixed(1)} s`;
  switch (verdict) {
    case 'measured':
      return `${figures}; ${on}.`;
    case 'below-noise':
      return `too little to tell from the load of Redis itself, which varied by ${percent(noiseShare ?? 0)}: ${figures}; ${on}.`;
    case 'too-quiet':
      return `too quiet to tell: Redis runs too few commands now. ${figures}; ${on}.`;
    case 'unsteady':
      return `the load of Redis changed too much to tell: ${figures}; ${on}.`;
    case 'no-figures':
      return `not measured: Redis does not report its CPU time here; ${on}.`;
    case 'ended':
      return `ended early: ${problem?.message ?? ''}${figures === '' ? '' : ` Until then ${figures};`} ${on}.`;
    case 'refused':
      return `not tried: ${problem?.message ?? ''}`;
  }
}

function range({ low, high }: { low: number; high: number }, text: (value: number) => string): string {
  const [first, last] = [text(low), text(high)];
  return first === last ? first : `${first} to ${last}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function count(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toString();
}

function bytes(value: number): string {
  return Math.abs(value) < 10_000 ? `${Math.round(value)} bytes/s` : `${Math.round(value / 1000)} kB/s`;
}

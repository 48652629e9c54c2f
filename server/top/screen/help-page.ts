import { wantedBy } from '../../../shared/insights/attention.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import { linesOfWatched } from '../../check/watched.ts';
import { printableInCell } from '../../cli/printable.ts';
import { type Line, line } from '../../cli/text/line.ts';
import { wrapped } from '../../cli/text/width.ts';
import type { Sight } from '../sight.ts';

const KEYS = [
  ['up down, k j', 'select a verdict or a lock; scroll a page'],
  ['PgUp PgDn Home End', 'the same, further'],
  ['Enter', 'open it: verdict, holders, waiters in order, events'],
  ['Esc', 'back; clear the filter'],
  ['/', 'show only locks with a part of their name'],
  ['space', 'pause what is shown; watching goes on'],
  ['?', 'this page'],
  ['q, Ctrl-C', 'quit'],
] as const;

const COLUMNS = [
  ['!', 'a verdict is about this lock'],
  ['?', 'this row is outdated: its server is not watched, or its key is not read'],
  ['HOLDER', 'the letter and thread of the first holder, and how many more there are; gone: no open connection'],
  ['N', 'hold count; r: held for reading, w: for writing'],
  ['HELD', 'how long it is held; > since before it was first seen'],
  ['LEASE', 'when it ends unless it is renewed, by the clock of Redis; ?: not known'],
  ['WDOG', 'whether a watchdog renews the lease; ?: no renewal seen yet'],
  [
    'WAITERS',
    'threads that wait; "listen": connections that listen for the release; hidden: this level does not show them',
  ],
  ['OLDEST', 'how long the first of them has waited'],
] as const;

/** Keys, columns, and what is watched and what cannot be seen, as `lockscope check` prints it. */
export function helpLines({ sources, locks, verdicts }: Sight, width: number): Line[] {
  const { cannotTell, failed } = verdicts;
  const unknown = new Set([...cannotTell, ...failed].map(({ incident }) => incident));
  const watched = linesOfWatched({
    sources: sources.map(({ source }) => source),
    busyLocks: locks.filter((lock) => lock.held || wantedBy(lock) > 0).length,
    blindSpots: [],
    checked: DETECTORS.map(({ incident }) => incident).filter((incident) => !unknown.has(incident)),
    cannotTell,
    failed,
  });
  return [
    ...section('Keys', KEYS, width),
    ...section('Columns', COLUMNS, width),
    line({ text: 'What is watched', look: 'strong' }),
    ...watched.flatMap((text) => wrapped(`  ${printableInCell(text)}`, width, '    ').map((each) => line(each))),
  ];
}

function section(title: string, rows: readonly (readonly [string, string])[], width: number): Line[] {
  const first = Math.max(...rows.map(([key]) => key.length));
  const indent = ' '.repeat(first + 4);
  return [
    line({ text: title, look: 'strong' }),
    ...rows.flatMap(([key, text]) =>
      wrapped(text, Math.max(10, width - indent.length)).map((each, n) =>
        n === 0 ? line({ text: `  ${key.padEnd(first)}  `, look: 'strong' }, each) : line(indent + each),
      ),
    ),
    line(),
  ];
}

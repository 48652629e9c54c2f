import { wantedBy } from '../../../shared/insights/attention.ts';
import { printableInCell } from '../../cli/printable.ts';
import { fitted, type Line, line, type Part } from '../../cli/text/line.ts';
import { mayMoreBeWanted, type Sight } from '../sight.ts';
import { type Item, type Shown, selectedIndex, type View } from '../view.ts';
import { headerLines } from './header.ts';
import { helpLines } from './help-page.ts';
import { pageOf } from './lock-page.ts';
import { columnsFor, headOfLocks, rowOfLock } from './lock-rows.ts';
import { headOfVerdicts, rowOfVerdict } from './verdict-rows.ts';

/** The size of a terminal. */
export type Size = { readonly columns: number; readonly rows: number };

/** The lines of a screen, and what keys need to know about them. */
export type Screen = Shown & { readonly lines: readonly Line[] };

/** The largest share of the list that verdicts take while there are more locks than fit. */
const VERDICT_SHARE = 0.4;

/**
 * Draws everything that is seen, as text: exactly `rows` lines, none wider than `columns`.
 *
 *   header: the sources, and what cannot be seen
 *   verdicts, the worst first
 *   locks, those that need attention first       or a page: a lock, a verdict, help
 *   footer: keys, or the newest notice
 */
export function screenOf(sight: Sight, view: View, { columns, rows }: Size, notice?: string): Screen {
  const header = headerLines(sight, view, columns).slice(0, Math.max(1, rows - 4));
  const footer = footerLine(view, sight, notice);
  const room = Math.max(0, rows - header.length - 1);
  const items = itemsOf(sight);
  const body = view.page === 'list' ? list(sight, view, items, columns, room) : page(sight, view, columns, room);
  const empty = Array.from({ length: Math.max(0, room - body.lines.length) }, () => line());
  const lines = [...header, ...body.lines.slice(0, room), ...empty, footer].slice(0, rows);
  return { items, rows: body.rows, mostScroll: body.mostScroll, lines: lines.map((each) => fitted(each, columns)) };
}

function itemsOf({ verdicts, locks }: Sight): Item[] {
  return [
    ...verdicts.insights.map((verdict): Item => ({ kind: 'verdict', id: `verdict ${verdict.id}`, verdict })),
    ...locks.map((lock): Item => ({ kind: 'lock', id: `lock ${lock.id}`, lock })),
  ];
}

type Body = Pick<Screen, 'lines' | 'rows' | 'mostScroll'>;

function page(sight: Sight, view: View, width: number, room: number): Body {
  const all = view.page === 'help' || view.page === 'list' ? helpLines(sight, width) : pageOf(view.page, sight, width);
  const rows = Math.max(0, room - 1);
  const mostScroll = Math.max(0, all.length - rows);
  const from = Math.min(view.scroll, mostScroll);
  return { lines: [line(), ...all.slice(from, from + rows)], rows, mostScroll };
}

function list(sight: Sight, view: View, items: readonly Item[], width: number, room: number): Body {
  const selected = selectedIndex(view, items);
  const verdictCount = sight.verdicts.insights.length;
  const lockCount = sight.locks.length;
  const rows = Math.max(0, room - 4); // an empty line, two headings, and the titles of columns
  const most = Math.max(1, Math.floor(rows * VERDICT_SHARE), rows - lockCount);
  const verdictRows = Math.min(verdictCount, most, rows);
  const lockRows = Math.min(lockCount, rows - verdictRows);
  const columns = columnsFor(width, sight.locks, hasPlaces(sight));
  const verdicts = windowOf(verdictCount, verdictRows, selected < verdictCount ? selected : -1);
  const locks = windowOf(lockCount, lockRows, selected - verdictCount);
  const isSelected = (item: Item) => items[selected] === item;
  return {
    lines: [
      line(),
      headOfVerdicts(sight),
      ...items
        .slice(verdicts.from, verdicts.to)
        .flatMap((item) =>
          item.kind === 'verdict' ? [rowOfVerdict(item.verdict, sight, width, isSelected(item))] : [],
        ),
      locksLine(sight, view, verdictCount - verdictRows, lockCount - lockRows),
      headOfLocks(columns),
      ...items
        .slice(verdictCount + locks.from, verdictCount + locks.to)
        .flatMap((item) => (item.kind === 'lock' ? [rowOfLock(item.lock, sight, columns, isSelected(item))] : [])),
    ],
    rows: Math.max(1, lockRows),
    mostScroll: 0,
  };
}

/** The part of a list that is visible: from its beginning, or around the selected item. */
function windowOf(count: number, rows: number, selected: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(count - rows, selected - Math.floor(rows / 2)));
  return { from, to: from + rows };
}

/** The line between verdicts and locks: how many locks there are, and which rows do not fit. */
function locksLine(sight: Sight, { filter, isTyping }: View, moreVerdicts: number, moreLocks: number) {
  const { sources, locks, total, held } = sight;
  const isNarrowed = filter !== '' || isTyping;
  const isOld = sources.length > 0 && sources.every(({ unwatchedSince }) => unwatchedSince !== null);
  const wanted = locks.filter((lock) => wantedBy(lock) > 0).length;
  const parts: Part[] = [
    ...(isNarrowed ? [{ text: `/${printableInCell(filter)}${isTyping ? '_' : ''}  `, look: 'strong' as const }] : []),
    {
      text: `${held} held, ${wanted}${mayMoreBeWanted(sight) ? ' or more' : ''} waited for, ${total} ${isNarrowed ? 'match' : 'in memory'}${isOld ? ', when last watched' : ''}`,
      look: 'strong',
    },
  ];
  const hidden = [
    ...(moreVerdicts > 0 ? [`${moreVerdicts} more verdicts`] : []),
    ...(moreLocks + total - locks.length > 0 ? [`${moreLocks + total - locks.length} more locks`] : []),
  ];
  return line(...parts, ...(hidden.length > 0 ? [{ text: `  (${hidden.join(', ')})`, look: 'quiet' as const }] : []));
}

function hasPlaces({ locks, sources }: Sight): boolean {
  return sources.length > 1 || new Set(locks.map(({ db }) => db)).size > 1;
}

function footerLine({ page: shown, isTyping, isPaused }: View, { locks }: Sight, notice: string | undefined): Line {
  if (notice !== undefined) return line({ text: notice, look: 'warn' });
  if (isTyping) return line({ text: 'type a part of the name   Enter keep   Esc clear', look: 'quiet' });
  const space = isPaused ? 'space go on' : 'space pause';
  const keys =
    shown === 'list'
      ? ['q quit', ...(locks.length > 0 ? ['up/down select', 'Enter open'] : []), '/ filter', space, '? help']
      : ['q quit', 'Esc back', 'up/down scroll', space];
  return line({ text: keys.join('   '), look: 'quiet' });
}

import { gunzipSync } from 'node:zlib';
import type { LockEvent } from '../../../shared/events/event.ts';
import { regrouped } from '../../../shared/events/groups/regrouped.ts';
import { lockIdOf, nameInId } from '../../../shared/state/lock-state.ts';
import type { BackQuery, StoredBack } from '../parts.ts';
import { parseStreamLine } from '../stream-lines.ts';
import type { BlockRow, Tables } from '../tables.ts';

/** Blocks that are read at once. */
const BLOCKS = 64;
/** An answer has no events from before the block with which it has more than this many. */
const MOST_EVENTS = 20_000;

/**
 * Reads the events before a range that detectors may need at an instant in it. A lock that was lost stays in a verdict
 * for 15 minutes, and a range begins at the checkpoint before its first instant.
 *
 *   blocks    ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ ◆ ▇▇▇▇▇       ◆ the range begins here
 *             since ·······
 *   first     the wanted types: rare, found in the text without parsing the other lines
 *   second    the events beside them, of the same locks
 */
export async function readBack(tables: Tables, query: BackQuery): Promise<StoredBack> {
  const { blocks, from } = await blocksBack(tables, query);
  const types = new Set<string>(query.types);
  const locks = new Set<string>(query.locks);
  const ofTypes = new RegExp(`"type":"(?:${query.types.join('|')})"`, 'g');
  for (const { bytes } of blocks) {
    for (const event of eventsIn(textOf(bytes), ofTypes)) if (types.has(event.type)) locks.add(lockIdOf(event));
  }
  const names = new Set([...locks].map((id) => JSON.stringify(nameInId(id))));
  const wanted = new Set<string>([...query.types, ...query.beside]);
  const isWanted = (event: LockEvent) => wanted.has(event.type) && locks.has(lockIdOf(event));
  const events: LockEvent[] = [];
  const regroups: LockEvent[] = [];
  for (const { bytes, toAt } of names.size === 0 ? [] : blocks) {
    if (events.length > MOST_EVENTS) return { from: Math.max(from, toAt + 1), events: inOrder(events, regroups) };
    for (const event of eventsIn(textOf(bytes), OF_LOCK_OR_GROUP, ({ 1: name }) => !name || names.has(name))) {
      if (isWanted(event)) events.push(event);
      if (event.groupSeqs) regroups.push(event);
    }
  }
  return { from, events: inOrder(events, regroups) };
}

/** The name of the lock in a line of an event, as JSON; or the mark of an event that corrects the group of others. */
const OF_LOCK_OR_GROUP = /"lock":("(?:[^"\\]|\\.)*")|"groupSeqs":/g;

/** The blocks before a range, the newest first, and the instant from which on they have all that happened. */
async function blocksBack(
  tables: Tables,
  { source, run, seq, since, most }: BackQuery,
): Promise<{ blocks: BlockRow[]; from: number }> {
  const blocks: BlockRow[] = [];
  let lines = 0;
  let next: BlockRow | undefined;
  for (let isMore = true; isMore; ) {
    const rows = await tables.blocksBefore(source, run, next?.firstSeq ?? seq + 1, BLOCKS);
    for (const block of rows) {
      if (block.toAt < since) return { blocks, from: since };
      const isHole = block.lastSeq + 1 !== (next?.firstSeq ?? seq + 1);
      lines += block.lastSeq - block.firstSeq + 1;
      if (isHole || lines > most) return { blocks, from: next?.toAt ?? block.toAt + 1 };
      blocks.push(block);
      next = block;
    }
    isMore = rows.length === BLOCKS;
  }
  if (next?.firstSeq !== 1) return { blocks, from: next?.toAt ?? Number.POSITIVE_INFINITY };
  const began = (await tables.runs(source)).find((each) => each.run === run);
  // a run after a failure of the store continues from a state; right before any other run, nothing was watched
  return { blocks, from: began?.gap === 'not-stored' ? Math.max(since, began.beganAt) : since };
}

/** The events of the lines in which the pattern is found, if `passes` accepts the match. */
function* eventsIn(text: string, pattern: RegExp, passes?: (found: RegExpExecArray) => boolean): Generator<LockEvent> {
  let end = -1;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found.index < end || passes?.(found) === false) continue;
    const begin = text.lastIndexOf('\n', found.index) + 1;
    end = text.indexOf('\n', found.index);
    if (end < 0) end = text.length;
    const line = parseStreamLine(text.slice(begin, end));
    if ('seq' in line) yield line;
  }
}

/** The events in the order of their numbers, with the groups that later events gave them. */
function inOrder(events: readonly LockEvent[], regroups: readonly LockEvent[]): LockEvent[] {
  return withGroups(
    [...events].sort((a, b) => a.seq - b.seq),
    [...regroups].sort((a, b) => a.seq - b.seq),
  );
}

/** The events with the groups that these later events gave them. */
export function withGroups(events: readonly LockEvent[], regroups: readonly LockEvent[]): LockEvent[] {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  for (const by of regroups) {
    for (const seq of by.groupSeqs ?? []) {
      const before = bySeq.get(seq);
      if (before) bySeq.set(seq, regrouped(before, by));
    }
  }
  return [...bySeq.values()];
}

function textOf(bytes: Uint8Array): string {
  return gunzipSync(bytes).toString();
}

import type { CommandStep } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { EventWriter } from '../event-writer.ts';
import { type ScriptVersion, SPIN_SCRIPT, scriptVersionFromHead } from '../libraries/script-versions.ts';
import { FREEING, withoutClaims } from '../mirror/counter-claims.ts';
import { clientOf } from '../names/names.ts';
import { recogniseCommand } from '../recognise/plain-command.ts';
import { recogniseScript } from '../recognise/recognise-script.ts';
import { isSelect } from '../recognise/script-run.ts';
import { applyAction } from './apply-action.ts';
import { noteWithoutLatch } from './unlocks.ts';

/** Applies what a command did, and everything a script ran. */
export function applyCommand(to: Context, step: CommandStep, writer: EventWriter): void {
  const before = writer.seq;
  applyActions(to, step, writer);
  if (writer.seq > before) noteUse(to, step);
}

function applyActions(to: Context, step: CommandStep, writer: EventWriter): void {
  const { head, inner } = step;
  const by = head.client ?? undefined;
  if (inner.length === 0) {
    for (const action of recogniseCommand(head)) {
      applyAction(to, action, { db: head.db, by, released: undefined, pushes: step.pushes });
    }
    return;
  }
  const actions = withoutClaims(to.keys, recogniseScript(step), step);
  if (actions) return applyScript(to, step, actions, { by, writer });
  const performed = inner.flatMap((line) => recogniseCommand(line).map((action) => ({ action, db: line.db })));
  for (const [n, { action, db }] of performed.entries()) {
    const isBack = action.do === 'delete' && comesBack(action.key, db, performed.slice(n + 1));
    const from = { db, by, released: undefined, compared: head.words.slice(3) };
    applyAction(to, isBack ? { ...action, mayFail: 'always', comesBack: true } : action, from);
  }
}

/**
 * Whether the same script restores a key that it deleted, for example by DUMP, DEL and RESTORE: a read shows the new
 * content.
 */
function comesBack(key: string, db: number, later: readonly { action: Action; db: number }[]): boolean {
  return later.some(
    ({ action, db: ownDb }) => action.do === 'arrive' && action.key === key && (action.here ?? ownDb) === db,
  );
}

/**
 * Notes when a known connection was last used, because a client list made at that moment may lack it. Events of a
 * script have the time of an inner line, so the client must not seem to be gone before the last one.
 */
function noteUse(to: Context, { head, inner }: CommandStep): void {
  if (head.client !== null) to.clients.connections.noteIfKnown(head.client, (inner.at(-1) ?? head).at);
}

function applyScript(
  to: Context,
  step: CommandStep,
  actions: readonly Action[],
  { by, writer }: { by: string | undefined; writer: EventWriter },
): void {
  const version = by === undefined ? undefined : learnClient(to, step, actions, by);
  const isSpinScript = version?.operation === SPIN_SCRIPT;
  const start = writer.seq;
  let from: Origin = {
    db: dbOf(step),
    by,
    isSpinScript,
    released: undefined,
    unlocked: undefined,
    pushes: step.pushes,
  };
  const hasLatch = actions.at(-1)?.do === 'begin-unlock';
  const unlockSeq = () => writer.unlockSince(start);
  for (const action of actions) {
    const before = writer.seq;
    applyAction(to, action, action.do === 'begin-unlock' ? { ...from, unlocked: unlockSeq() } : from);
    if (!hasLatch) noteWithoutLatch(to, action, from.db, unlockSeq);
    if (FREEING.has(action.do)) from = { ...from, released: writer.releaseSince(before) };
  }
  if (by !== undefined) {
    const seq = writer.seq > start ? writer.seq - 1 : undefined;
    to.replicaWaits.noteScript({ by, at: step.head.at, db: from.db, actions, seq });
  }
}

/**
 * Learns from a lock script which client uses this connection, and from the script's SHA which Redisson versions the
 * client may have. Returns what the SHA shows.
 */
function learnClient(
  to: Context,
  step: CommandStep,
  actions: readonly Action[],
  by: string,
): ScriptVersion | undefined {
  const version = scriptVersionFromHead(step.head);
  let known = '';
  for (const action of actions) {
    // The evicted queue head is not the caller.
    if (!('holder' in action) || action.do === 'fair-evict') continue;
    const uuid = clientOf(action.holder);
    if (uuid === known) continue;
    known = uuid;
    const isHomeMade = 'isHomeMade' in action && action.isHomeMade === true;
    const client = to.clients.learn(by, uuid, step.head.at, isHomeMade ? 'unknown' : undefined);
    if (version) to.clients.narrowVersion(uuid, version, client);
  }
  return version;
}

/** The database a script worked in. Redis 6 reports the caller's database, even if the script selected another one. */
export function dbOf({ head, inner }: CommandStep): number {
  const [first] = inner;
  if (first && isSelect(first)) return Number(first.words[1]);
  return first?.db ?? head.db;
}

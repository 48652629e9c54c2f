import type { Operation, Scene } from './account.ts';
import type { Expected } from './expected.ts';
import { holdsIn, isShortened, leaseOf, pageOf, reasonOf, sureOf } from './holds.ts';
import { nameOf } from './names.ts';

/** Renewals of plain holds, and scripts that set an expiry. */
export const LEASES: Readonly<Record<string, Operation>> = {
  renew: (scene) => scene.keys.flatMap((lock, n) => renew(scene, lock, scene.args[n + 1] ?? '')),
  expire: (scene) => scene.keys.flatMap((lock) => setLease(scene, lock)),
  persist: (scene) => scene.keys.flatMap((lock) => setLease(scene, lock)),
};

function renew(scene: Scene, lock: string, field: string): Expected[] {
  const holder = field.replace(/:write$/, '');
  const isWrite = field !== holder;
  if (holder === '') return [];
  scene.book.date(holder, scene);
  if (!scene.lines.some(({ words }) => words[1] === lock && words[2] === field)) return [];
  const isReader = !isWrite && pageOf(scene, lock).kind === 'read-write-lock';
  const mode = isWrite ? { mode: 'write' } : isReader ? { mode: 'read' } : undefined;
  const isRenewed = scene.lines.some(({ words }) => nameOf(words) === 'pexpire' && words[1] === lock);
  const reason = reasonOf(scene, lock, field);
  if (!isRenewed) return [scene.expect(lock, 'renewal.refused', { holder, ...mode, reason }, sureOf(reason))];
  const batch = scene.keys.length > 1 ? { batch: scene.keys.length } : undefined;
  const fields = { holder, ...mode, cause: 'watchdog', ...batch, ...leaseOf(scene, lock) };
  return [scene.expect(lock, 'lease.renewed', { ...fields, clientVersion: scene.book.versionOf(holder) })];
}

function setLease(scene: Scene, lock: string): Expected[] {
  const key = scene.after(lock);
  if (!key || holdsIn(key).size === 0) return [];
  const type = isShortened(scene, lock) ? 'lease.shortened' : 'lease.renewed';
  return [scene.expect(lock, type, { cause: 'command', ...leaseOf(scene, lock) })];
}

import type { RedisTime } from '../../base/time.ts';
import { keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { BookmarkSignal, PushSignal } from '../../signals/signal.ts';
import type { About, Context } from '../context.ts';
import { clearKey, type LockKey } from '../lock-keys.ts';
import { holderOfField, isDerivedFrom, isLatchKey, lockOfChannel } from '../names.ts';
import { applyAction } from './apply-action.ts';
import { keyAbout } from './known-key.ts';

/** What pushes mean where no commands are seen: a key event tells that something changed, and not by whom. */
export class KeyEvents {
  readonly #to: Context;
  /** A key that vanished by `del`, until the next message tells a release from a deletion. */
  #vanished: { key: LockKey; at: RedisTime; isUnlock: boolean } | undefined;
  /** The key whose count the newest key event changed. */
  #counted: LockKey | undefined;

  constructor(to: Context) {
    this.#to = to;
  }

  /** A key that is gone, and nobody said why yet: the next read decides. */
  get undecided(): LockKey | undefined {
    return this.#vanished?.key;
  }

  /** Takes a push that is no loss. */
  hear(push: PushSignal): void {
    const target = lockOfChannel(push.channel);
    if (target) {
      const key = this.#keyOf(target.name);
      const released = this.#vanished && this.#vanished.key === key ? this.settle('released') : undefined;
      const { at, channel, message } = push;
      applyAction(this.#to, { do: 'publish', at, channel, message }, { db: key?.db ?? 0, by: undefined, released });
      return;
    }
    const event = keyEventFromPush(push);
    // A fair unlock sets its latch after it deletes the lock, and publishes after both.
    if (!event || isLatchKey(event.key)) return;
    const key = this.#to.keys.find(event.db, event.key);
    const isUnlock = key !== undefined && key === this.#counted;
    this.settle();
    this.#counted = event.event === 'hincrby' ? key : undefined;
    if (key && !this.#to.hearsMessages) return this.#to.onDoubt(key);
    if (key && key.holders.size > 0 && (event.event === 'del' || event.event === 'unlink')) {
      this.#vanished = { key, at: push.at, isUnlock };
    }
  }

  /** Whether a read tells that the key which vanished is kept by another server now: nobody deleted it. */
  isMoved({ reads }: BookmarkSignal): boolean {
    const { db, name } = this.#vanished?.key ?? {};
    return reads.some((read) => read.movedTo !== undefined && read.db === db && read.name === name);
  }

  /**
   * Emits what became of the key that vanished. An unlock counts down and deletes in one script, so nothing is heard
   * between; fair and spin locks may publish nothing. A force-unlock deletes and publishes.
   *
   *   hincrby k → del k               released
   *   del k → message of k            released
   *   del k                           deleted
   */
  settle(how: 'released' | 'deleted' = 'deleted'): number | undefined {
    const vanished = this.#vanished;
    this.#vanished = undefined;
    this.#counted = undefined;
    if (!vanished || vanished.key.holders.size === 0) return undefined;
    const { key, at } = vanished;
    // A string with a token is released by deleting it, mostly without a message.
    if (vanished.isUnlock || key.kind === 'token-lock') how = 'released';
    const about: About = { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' };
    let seq: number | undefined;
    for (const [name, field] of key.holders) {
      const holder = holderOfField(name);
      const release = { type: 'lock.released', holder, mode: field.mode, holdCount: 0 } as const;
      seq = this.#to.emit(about, how === 'released' ? release : { type: 'lock.deleted', holder });
    }
    clearKey(key, how === 'released' ? 'released' : 'gone');
    if (how === 'deleted' && seq !== undefined) key.lastLoss = seq;
    return seq;
  }

  #keyOf(name: string): LockKey | undefined {
    if (this.#vanished && isDerivedFrom(this.#vanished.key.name, name)) return this.#vanished.key;
    return keyAbout(this.#to, 0, name);
  }
}

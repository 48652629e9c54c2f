import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { Lock } from './lock.ts';
import { LockPredictor } from './lock-predictor.ts';
import { EventUnpacker } from './packed-events.ts';
import type { BatchMessage, PackedMessage } from './socket.ts';

/** A batch with its events unpacked, whether it was sent packed or not. */
export type ReadBatch = Omit<BatchMessage, 'v' | 'events'> & { readonly events: readonly LockEvent[] };

/** Reads the messages of the packed stream. Each depends on all messages since the last fresh one. */
export class PackedReader {
  #unpacker = new EventUnpacker();
  #book = new LockPredictor();

  /** Returns the message as a batch that does not depend on others. */
  read(message: PackedMessage): ReadBatch {
    if (message.fresh) {
      this.#unpacker = new EventUnpacker();
      this.#book = new LockPredictor();
    }
    const { v: _v, fresh: _fresh, ...plain } = message;
    const now = redisTime(message.at);
    const events = this.#unpacker.unpack(message.events);
    const touched = this.#book.predict(events, now);
    for (const [id, patch] of message.locks) {
      this.#book.correct(id, patch, now);
      touched.add(id);
    }
    for (const id of message.gone) {
      this.#book.forget(id);
      touched.delete(id);
    }
    const locks = [...touched].map((id) => this.#book.lock(id)).filter((lock): lock is Lock => lock !== undefined);
    return { ...plain, events, locks };
  }
}

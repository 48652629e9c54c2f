import type { ScenarioScript } from '../scenario.ts';

const LOCKS = ['orders:42', 'stock:7', 'invoice:9'] as const;
const [ORDERS, STOCK, INVOICE] = LOCKS;
const members = LOCKS.map((lock) => ({ lock }));

/** Three locks in one operation: all or nothing. */
export const multiLock: ScenarioScript = {
  id: 'multi-lock',
  title: 'Three locks as one',
  summary:
    'A wants three locks together. B holds one of them, so A releases what it had acquired. Once B is done, A acquires all three.',
  lock: ORDERS,
  otherLocks: [STOCK, INVOICE],
  steps: [
    { title: 'B acquires stock:7', who: 'B1', happens: 'acquired', lock: STOCK },
    { title: 'A begins: it acquires orders:42', who: 'A1', happens: 'acquired', lock: ORDERS },
    { title: 'stock:7 is refused', who: 'A1', happens: 'refused', lock: STOCK },
    { title: 'So A releases orders:42, without asking for invoice:9', who: 'A1', happens: 'released', lock: ORDERS },
    { title: 'The multi lock is refused', who: 'A1', happens: 'group-refused' },
    { title: 'B releases stock:7', who: 'B1', happens: 'released', lock: STOCK },
    { title: 'A starts again: orders:42', who: 'A1', happens: 'acquired', lock: ORDERS },
    { title: 'stock:7 as well', who: 'A1', happens: 'acquired', lock: STOCK },
    { title: 'invoice:9 as well: A has all three', who: 'A1', happens: 'acquired', lock: INVOICE },
    { title: 'A releases all three', who: 'A1', happens: 'group-released' },
  ],
  async play({ lock, unlock, group, pause }) {
    await lock('B1', { lock: STOCK });
    await pause(1500);
    await group('A1', 'tryLockAll', { members });
    await pause(1300);
    await unlock('B1', { lock: STOCK });
    await pause(1500);
    await group('A1', 'tryLockAll', { members });
    await pause(3000);
    await group('A1', 'unlockAll', { members });
  },
};

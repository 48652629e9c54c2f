import type { ScenarioScript } from '../scenario.ts';

const READ = { kind: 'read-lock' } as const;
const WRITE = { kind: 'write-lock' } as const;

/** Readers share the lock, a writer holds it alone, and a writer may keep reading after it has written. */
export const readWrite: ScenarioScript = {
  id: 'read-write',
  title: 'Readers and a writer',
  summary:
    'A and B read together while C waits to write. Then C writes alone and keeps reading, which wakes no waiter.',
  lock: 'catalog:7',
  kind: 'read-lock',
  steps: [
    { title: 'A acquires the lock for reading', who: 'A1', happens: 'acquired' },
    { title: 'B reads as well', who: 'B1', happens: 'acquired' },
    { title: 'C wants to write: refused, it sleeps', who: 'C1', happens: 'refused', attempt: 2 },
    { title: 'A stops reading', who: 'A1', happens: 'released' },
    { title: 'B stops reading: the last reader publishes', who: 'B1', happens: 'released' },
    { title: 'C is woken and writes, alone', who: 'C1', happens: 'acquired', wokenBy: 'message' },
    { title: 'A wants to read: refused, it sleeps', who: 'A1', happens: 'refused', attempt: 2 },
    { title: 'C may read as well, as it is the writer', who: 'C1', happens: 'acquired' },
    { title: 'C stops writing and keeps reading: no message', who: 'C1', happens: 'released' },
    { title: 'C stops reading and publishes', who: 'C1', happens: 'released' },
    { title: 'A is woken and reads', who: 'A1', happens: 'acquired', wokenBy: 'message' },
    { title: 'A stops reading', who: 'A1', happens: 'released' },
  ],
  async play({ lock, unlock, reached, pause }) {
    await lock('A1', READ);
    await pause(600);
    await lock('B1', READ);
    await pause(600);
    const writing = lock('C1', WRITE);
    await reached(3);
    await pause(1400);
    await unlock('A1', READ);
    await pause(800);
    await unlock('B1', READ);
    await writing;
    await pause(800);
    const reading = lock('A1', READ);
    await reached(7);
    await pause(600);
    // All of this ends long before A's own timer would wake it, also on a busy machine.
    await lock('C1', READ);
    await pause(900);
    await unlock('C1', WRITE);
    await pause(900);
    await unlock('C1', READ);
    await reading;
    await pause(1000);
    await unlock('A1', READ);
  },
};

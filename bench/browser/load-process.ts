import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Pace } from '../load/paced-locks.ts';

/** A running load; `pace` sets its rate. */
type Load = { pace(pace: Pace): void; stop(): Promise<void> };

/** Starts the process of `load/paced-locks.ts`. It does nothing until its rate is set. */
export async function startLoad(redisUrl: string): Promise<Load> {
  const child = fork(fileURLToPath(new URL('../load/paced-locks.js', import.meta.url)), [redisUrl]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)));
  });
  return {
    pace: (pace) => child.send(pace),
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

import { startTimer, stopTimer, type Timer } from './surroundings.ts';

/** The result of a job, or `undefined` if the job takes longer than `ms`. Rejects if the job rejects before. */
export async function inTime<T>(ms: number, job: Promise<T>): Promise<T | undefined> {
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = startTimer(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([job, late]);
  } finally {
    stopTimer(timer);
  }
}

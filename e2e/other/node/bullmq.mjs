import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { drive } from './driven.mjs';

/** The minimum time between two checks for stalled jobs, in ms. */
const STALLED_EVERY_MS = 200;

await drive('bullmq 6.7.0', async ({ url, name }) => {
  const { port } = new URL(url);
  const connection = { host: '127.0.0.1', port: Number(port), connectionName: name };
  const queues = new Map();
  const workers = new Map();
  const taken = new Map();
  /** An id like that of a worker of BullMQ itself. */
  const worker = randomUUID();
  const queueOf = (queue) => {
    if (!queues.has(queue)) queues.set(queue, new Queue(queue, { connection }));
    return queues.get(queue);
  };
  const workerOf = (actor, queue, lockDuration) => {
    const place = `${actor} ${queue}`;
    if (!workers.has(place)) {
      const options = { connection: { ...connection, maxRetriesPerRequest: null }, stalledInterval: STALLED_EVERY_MS };
      workers.set(place, new Worker(queue, null, { ...options, lockDuration, autorun: false }));
    }
    return workers.get(place);
  };
  const take = async (actor, queue, lockDuration, block) => {
    const token = `${worker}:${taken.size}`;
    const job = await workerOf(actor, queue, lockDuration).getNextJob(token, { block });
    if (!job) return 'none';
    taken.set(`${actor} ${queue}`, { job, token });
    return `${job.id} ${token}`;
  };
  return async (actor, operation, queue, [ms]) => {
    const { job, token } = taken.get(`${actor} ${queue}`) ?? {};
    switch (operation) {
      case 'add':
        return (await queueOf(queue).add('work', {})).id;
      case 'take':
        return take(actor, queue, ms, false);
      case 'wait':
        for (;;) {
          const found = await take(actor, queue, ms, true);
          if (found !== 'none') return found;
        }
      case 'stalled':
        await workerOf(actor, queue, ms).moveStalledJobsToWait();
        return 'ok';
      case 'extend':
        return job.extendLock(token, ms);
      case 'complete':
        await job.moveToCompleted('done', token, false);
        return 'ok';
      case 'fail':
        await job.moveToFailed(new Error('no luck'), token, false);
        return 'ok';
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});

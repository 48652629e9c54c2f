import { randomUUID } from 'node:crypto';
import { epochMicros } from './clock.ts';
import { DemoClient } from './demo-client.ts';
import { type ChildMessage, clientEnvironment, type Operation, parentMessage } from './protocol.ts';

/*
 * One demo client process: a uuid, its threads, its connections. Started with fork(), told what to do over IPC, see
 * protocol.ts. It ends when its parent does.
 */

const env = clientEnvironment.parse(process.env);
const uuid = env.DEMO_UUID ?? randomUUID();
const client = new DemoClient(
  { redisUrl: env.DEMO_REDIS_URL, name: env.DEMO_CLIENT_NAME, uuid, watchdogMs: env.DEMO_WATCHDOG_MS },
  (milestone) => send({ type: 'milestone', at: epochMicros(), ...milestone } as ChildMessage), // a milestone without two of its fields
);
/** Last operation of each thread: the next one begins when it is over. */
const threads = new Map<number, Promise<void>>();

function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

async function run(operation: Operation): Promise<void> {
  send({ type: 'truth', ...operation, phase: 'called', at: epochMicros() });
  try {
    const result = await client.run(operation);
    send({ type: 'truth', ...operation, phase: 'returned', at: epochMicros(), ok: true, result });
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.name : 'Error';
    const result = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    send({ type: 'truth', ...operation, phase: 'returned', at: epochMicros(), ok: false, result, error });
  }
}

async function obey(raw: unknown): Promise<void> {
  const message = parentMessage.parse(raw);
  switch (message.type) {
    case 'do': {
      const { type: _, ...operation } = message;
      if (operation.thread > env.DEMO_THREADS) throw new Error(`there is no thread ${operation.thread}`);
      const before = threads.get(operation.thread) ?? Promise.resolve();
      threads.set(
        operation.thread,
        before.then(() => run(operation)),
      );
      break;
    }
    case 'network':
      if (message.want === 'cut') client.cut();
      else await client.heal();
      send({ type: 'network', is: message.want === 'cut' ? 'cut' : 'healed' });
      break;
    case 'interrupt':
      client.interrupt();
      break;
    case 'settle':
      await client.settle(async () => {
        await Promise.all(threads.values());
      });
      send({ type: 'settled' });
      break;
  }
}

function fail(reason: unknown): never {
  process.stderr.write(`${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`);
  process.exit(1);
}

process.on('message', (message) => void obey(message).catch(fail));
process.on('disconnect', () => process.exit(0));
// A parent that ended while this was being loaded says so no more.
if (!process.connected) process.exit(0);
// A terminal sends its Ctrl-C to the whole group; the parent decides when its clients end.
process.on('SIGINT', () => undefined);
client.whenReady().then(() => send({ type: 'ready', uuid }), fail);

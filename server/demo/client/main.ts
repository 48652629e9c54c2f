import { randomUUID } from 'node:crypto';
import { epochMicros, setAhead } from './clock.ts';
import { GroupLocks, isOfGroup } from './group-locks.ts';
import { OwnClients } from './own-clients.ts';
import { type ChildMessage, clientEnvironment, type Milestone, type Operation, parentMessage } from './protocol.ts';

/*
 * One demo client process: a uuid, its threads, its connections. Started with fork(). Receives its operations over IPC,
 * see protocol.ts. Exits when its parent exits.
 */

const env = clientEnvironment.parse(process.env);
const uuid = env.DEMO_UUID ?? randomUUID();
const report = (milestone: Omit<Milestone, 'type' | 'at'>) =>
  send({ type: 'milestone', at: epochMicros(), ...milestone } as ChildMessage); // a milestone without two of its fields
const clients = new OwnClients(
  {
    redisUrl: env.DEMO_REDIS_URL,
    name: env.DEMO_CLIENT_NAME,
    uuid,
    watchdogMs: env.DEMO_WATCHDOG_MS,
    prefix: env.DEMO_PREFIX,
  },
  report,
  (also) => send({ type: 'also', uuid: also }),
);
const groups = new GroupLocks((server) => clients.of(server), report);
/** Last operation of each thread; the next one starts when it has returned. */
const threads = new Map<number, Promise<void>>();

function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

async function run(operation: Operation): Promise<void> {
  send({ type: 'truth', ...operation, phase: 'called', at: epochMicros() });
  try {
    const result = await (isOfGroup(operation) ? groups.run(operation) : runSingle(operation));
    send({ type: 'truth', ...operation, phase: 'returned', at: epochMicros(), ok: true, result });
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.name : 'Error';
    const result = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    send({ type: 'truth', ...operation, phase: 'returned', at: epochMicros(), ok: false, result, error });
  }
}

async function runSingle(operation: Operation): Promise<string> {
  const client = await clients.of(operation.server);
  return client.run(operation);
}

async function handleMessage(raw: unknown): Promise<void> {
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
      if (message.want === 'cut') clients.cut();
      else await clients.heal();
      send({ type: 'network', is: message.want === 'cut' ? 'cut' : 'healed' });
      break;
    case 'clock':
      setAhead(message.aheadMs);
      break;
    case 'interrupt':
      clients.interrupt();
      break;
    case 'settle':
      await clients.settle(async () => {
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

process.on('message', (message) => void handleMessage(message).catch(fail));
process.on('disconnect', () => process.exit(0));
// If the parent ended while this module was loading, 'disconnect' is not emitted.
if (!process.connected) process.exit(0);
// A terminal sends SIGINT on Ctrl-C to the whole process group. The parent decides when its clients end.
process.on('SIGINT', () => undefined);
clients.main.whenReady().then(() => send({ type: 'ready', uuid }), fail);

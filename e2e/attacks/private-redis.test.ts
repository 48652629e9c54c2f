import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LockscopeProcess, launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { patientClient } from '../support/lockscope/patient-client.ts';
import { waitFor } from '../support/wait-for.ts';

/* Other users of the machine try to use the private servers of the demo. */

let demo: LockscopeProcess;
beforeEach(async () => {
  demo = await launchLockscopeProcess('demo', []);
});
afterEach(() => demo.stop());

/** The ports of all private servers that are watched. */
async function ports(): Promise<number[]> {
  const { sources } = await demo.health();
  return sources.map(({ url }) => Number(new URL(url).port));
}

/** The ports of all private servers; `undefined` until the servers of the scenario are watched too. */
async function portsOfAll(): Promise<number[] | undefined> {
  const all = await ports();
  return new Set(all).size === 4 ? all : undefined;
}

/** The answer to a command of a client without the password. */
async function answerAt(port: number, ...words: string[]): Promise<string> {
  const client = patientClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
  client.on('error', () => undefined); // the answer shows the error
  try {
    await client.connect();
    return String(await client.sendCommand(words));
  } catch (error) {
    return String(error);
  } finally {
    client.destroy();
  }
}

const COMMANDS = [['PING'], ['FLUSHALL'], ['CONFIG', 'GET', 'requirepass'], ['CLIENT', 'LIST']];

const isObserving = async (count: number) => {
  const { sources } = await demo.health();
  return sources.length === count && sources.every(({ status }) => status === 'observing');
};

test('without the password, PING, FLUSHALL, CONFIG and CLIENT are refused, also on the servers of a scenario', async () => {
  await waitFor('to observe', () => isObserving(1));
  const answers = new Map<number, string[]>();
  // The scenario kills servers. On a busy machine it may kill one before the test asks that server. Then it runs again.
  await waitFor('answers of three more servers', async (missing) => {
    expect((await demo.post('/api/demo/scenarios/redlock/start', {})).status).toBe(200);
    for (const port of await waitFor('three more servers', portsOfAll)) {
      const found = await Promise.all(COMMANDS.map((words) => answerAt(port, ...words)));
      if (!found.some((answer) => /ECONN|closed/i.test(answer))) answers.set(port, found);
    }
    return answers.size >= 4 || missing(`${answers.size} answered`);
  });
  for (const found of answers.values()) expect(found).toEqual(COMMANDS.map(() => expect.stringContaining('NOAUTH')));
});

test.runIf(process.platform === 'linux')(
  'the password is not in the responses of five routes, the log or the command lines',
  async () => {
    await waitFor('to observe', () => isObserving(1));
    const { clients } = (await demo.get('/api/demo')).body as { clients: { pid: number }[] };
    expect(clients).toHaveLength(3);
    const environment = readFileSync(`/proc/${clients[0]?.pid}/environ`, 'latin1');
    const password = /DEMO_REDIS_URL=redis:\/\/:(\w{48})@/.exec(environment)?.[1] ?? '';
    expect(password).toHaveLength(48);
    const paths = ['health', 'demo', 'demo/scenarios', 'locks', 'events'];
    const answers = await Promise.all(paths.map((path) => demo.get(`/api/${path}`)));
    const children = readFileSync(`/proc/${demo.pid}/task/${demo.pid}/children`, 'latin1').trim().split(' ');
    const lines = [demo.pid, ...children].map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    expect(lines.join()).toContain('redis-server');
    expect(JSON.stringify(answers) + lines.join() + demo.output()).not.toContain(password);
  },
);

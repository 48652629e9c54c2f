import type { ChildProcess } from 'node:child_process';
import type { Ask, Measured } from './answering-process.ts';

/** Waits until the process answers requests; returns its URL. */
export async function started(program: ChildProcess): Promise<string> {
  const { url } = (await messageFrom(program)) as { url: string }; // the first message has the URL
  return url;
}

/** CPU time of the process for one answer, in ms. */
export async function measureAnswer(program: ChildProcess, url: string): Promise<number> {
  const { cpuMs } = await measured(program, 'start', url);
  return cpuMs;
}

/** The longest turn of the process's event loop during one answer, in ms. */
export async function measureTurn(program: ChildProcess, url: string): Promise<number> {
  const { turnMs } = await measured(program, 'start-turns', url);
  return turnMs;
}

/** CPU time of the process for a replay of all events up to an instant, in ms. */
export async function measureReplay(program: ChildProcess, at: number): Promise<number> {
  const answer = messageFrom(program);
  program.send({ replayTo: at } satisfies Ask);
  const { cpuMs } = (await answer) as Measured; // the reply to a replay
  return cpuMs;
}

async function measured(program: ChildProcess, start: Ask, url: string): Promise<Measured> {
  const startedMessage = messageFrom(program);
  program.send(start);
  await startedMessage;
  const answer = await fetch(url);
  const body = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${new TextDecoder().decode(body)}`);
  const stopped = messageFrom(program);
  program.send('stop' satisfies Ask);
  return (await stopped) as Measured; // the reply to `stop`
}

function messageFrom(program: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the process ended'));
    program.once('exit', onExit);
    program.once('message', (message) => {
      program.off('exit', onExit);
      resolve(message);
    });
  });
}

import type { DemoProcess, ToldCall } from './demo-process.ts';

const OPS = { lock: 'lock', tryLock: 'try', unlock: 'unlock', forceUnlock: 'force' } as const;

/** What a demo client saw, as the truth lines that `truth.ts` reads. */
export function truthLinesOf(client: DemoProcess): string[] {
  const calls = client.told.filter((told) => told.type === 'truth');
  return [`0 ${client.name} ready ${client.uuid}`, ...calls.map((call) => truthLine(client.name, call))];
}

function truthLine(name: string, call: ToldCall): string {
  const head = `${call.at} ${name} T${call.thread}#${call.thread}`;
  const lock = call.lock.replace(/[%\x00-\x20]/g, escaped);
  const times = call.action === 'tryLock' ? triedWith(call) : [call.leaseMs];
  const words = [OPS[call.action], 'lock', lock, ...times.filter(isGiven)];
  if (call.phase === 'called') return `${head} > ${words.join(' ')}`;
  return `${head} < ${words.join(' ')} ${call.ok ? '=' : '!'} ${call.result}`;
}

function escaped(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** `try`, `try wait` or `try wait lease`. */
function triedWith({ waitMs, leaseMs }: ToldCall): (number | undefined)[] {
  return leaseMs === undefined ? [waitMs] : [waitMs ?? 0, leaseMs];
}

function isGiven(value: number | undefined): value is number {
  return value !== undefined;
}

import type { ReportedEvent } from '../support/lockscope/lockscope.ts';

/**
 * A second check besides the clients: how often Redis ran each command, also inside scripts. Only plain locks use these
 * commands here. Lockscope's own reads and the clients' pings use others.
 *
 *   pexpire          every lease that was set: acquired, re-entered, partially released, renewed, shortened
 *   hincrby, hset    every change of a hold count
 *   publish          every wake-up
 *   (un)subscribe    every client that began or stopped listening
 */
const COMPARED: readonly { commands: readonly string[]; types: readonly ReportedEvent['type'][] }[] = [
  {
    commands: ['pexpire'],
    types: ['lock.acquired', 'lock.reentered', 'lock.partially-released', 'lease.renewed', 'lease.shortened'],
  },
  {
    commands: ['hincrby', 'hset'],
    types: ['lock.acquired', 'lock.reentered', 'lock.partially-released', 'lock.released'],
  },
  { commands: ['publish'], types: ['wakeup.published'] },
  { commands: ['subscribe'], types: ['waiter.subscribed'] },
  { commands: ['unsubscribe'], types: ['waiter.unsubscribed'] },
];

/** Compares the calls that Redis counted between two instants with the events of the time between them. */
export function compareCommands(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  events: readonly ReportedEvent[],
): string[] {
  return COMPARED.flatMap(({ commands, types }) => {
    const ran = commands.reduce((sum, name) => sum + (after.get(name) ?? 0) - (before.get(name) ?? 0), 0);
    const reported = events.filter(({ type }) => types.includes(type)).length;
    return ran === reported
      ? []
      : [`Redis ran ${commands.join(' or ')} ${ran} times, but ${types.join(', ')} are ${reported}`];
  });
}

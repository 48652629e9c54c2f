import type { DemoClient } from './demo-client.ts';
import type { GroupAction, GroupMember, Milestone, MilestoneDetail, Operation } from './protocol.ts';

type GroupOperation = Operation & { action: GroupAction; members: GroupMember[] };

/** True for an operation over several locks at once. */
export function isOfGroup(operation: Operation): operation is GroupOperation {
  return operation.members !== undefined;
}

/** Returns this process's client for a server. Each client has its own uuid, like separate Redisson instances. */
type ClientFor = (server: string | undefined) => Promise<DemoClient>;

/**
 * Multi locks and RedLocks: ordinary locks, acquired one after the other.
 *
 *   multi lock    all or nothing: the first refusal releases the locks acquired before it
 *   RedLock       up to `mostRefused` members may be refused; an unlock goes to every member, acquired or not
 */
export class GroupLocks {
  readonly #clientFor: ClientFor;
  readonly #report: (milestone: Omit<Milestone, 'type' | 'at'>) => void;

  constructor(clientFor: ClientFor, report: (milestone: Omit<Milestone, 'type' | 'at'>) => void) {
    this.#clientFor = clientFor;
    this.#report = report;
  }

  /** Runs one operation for its thread. Returns its result as text: `ok`, `true` or `false`. */
  async run(operation: GroupOperation): Promise<string> {
    const { action, op, thread, lock } = operation;
    const report = (detail: MilestoneDetail) =>
      this.#report({ op, thread, lock, ...detail } as Omit<Milestone, 'type' | 'at'>); // a milestone without two of its fields
    if (action === 'connectAll') {
      await Promise.all(operation.members.map(({ server }) => this.#clientFor(server)));
      return 'ok';
    }
    if (action === 'awaitConnected') {
      const clients = await Promise.all(operation.members.map(({ server }) => this.#clientFor(server)));
      await Promise.all(clients.map((client) => client.whenReady()));
      return 'ok';
    }
    if (action === 'unlockAll') {
      await this.#unlock(operation, operation.members);
      report({ name: 'group-released' });
      return 'ok';
    }
    const { isAcquired, have } = await this.#tryLock(operation);
    report({ name: isAcquired ? 'group-acquired' : 'group-refused', have, of: operation.members.length });
    return String(isAcquired);
  }

  /** Returns whether enough members were acquired, and how many (`have`, before a rollback). */
  async #tryLock(operation: GroupOperation): Promise<{ isAcquired: boolean; have: number }> {
    const { members } = operation;
    const acquired: GroupMember[] = [];
    let refusalsLeft = operation.mostRefused ?? 0;
    for (const member of members) {
      if (await this.#ask(operation, member, 'tryLock')) acquired.push(member);
      else if (members.length - acquired.length === (operation.mostRefused ?? 0)) break;
      else if (refusalsLeft-- === 0) {
        await this.#unlock(operation, acquired);
        return { isAcquired: false, have: acquired.length };
      }
    }
    return { isAcquired: true, have: acquired.length };
  }

  async #unlock(operation: GroupOperation, members: readonly GroupMember[]): Promise<void> {
    for (const member of members) await this.#ask(operation, member, 'unlock');
  }

  /** Locks or unlocks one member. False if it was refused, or if its server cannot be reached. */
  async #ask(operation: GroupOperation, { lock, server }: GroupMember, action: 'tryLock' | 'unlock'): Promise<boolean> {
    const { op, thread, leaseMs } = operation;
    const client = await this.#clientFor(server);
    if (!client.isConnected()) return false;
    const lease = leaseMs !== undefined && action === 'tryLock' ? { leaseMs } : {};
    try {
      return (await client.run({ op, thread, lock, action, ...lease })) !== 'false';
    } catch {
      return false;
    }
  }
}

import { clientOf } from '../../../events/names/names.ts';
import { endsByItself } from '../../../state/hold-end.ts';
import { waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

type Incident = 'holder-without-connection';

/**
 * The hold was there before watching began, its client has sent nothing since, and no open connection can belong to
 * that client: the client is probably gone. If there are such connections, but all of them have long been silent, the
 * client may only be paused, so the finding is a hint. Which connections may belong to a client is inferred, so the
 * finding is never certain. One finding for each client of a lock.
 */
export const holderWithoutConnection: LockDetector<Incident> = {
  incident: 'holder-without-connection',
  effect: 'orphaned',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: ({ holders }) => holders.length > 0,
  detect({ lock, lockId, clientOf: sightOf }) {
    const found = new Map<string, FindingOf<Incident>>();
    let isUnknown = false;
    for (const holder of lock.holders) {
      const client = holder.client ?? clientOf(holder.id);
      const { presence, unheard } = sightOf(client);
      isUnknown ||= presence === 'unknown';
      if (!unheard || found.has(client)) continue;
      const hasNoConnection = unheard.connections === 0;
      const isShared = lock.holders.some(({ id }) => clientOf(id) !== client);
      const isReader = holder.mode === 'read';
      const endsAt = endsByItself(lock, holder);
      found.set(client, {
        incident: 'holder-without-connection',
        severity: hasNoConnection ? 'warning' : 'hint',
        confidence: hasNoConnection ? 'likely' : 'hint',
        lockId,
        holders: lock.holders.filter(({ id }) => clientOf(id) === client).map(({ id }) => id),
        from: unheard.since,
        isAtLeast: true,
        to: null,
        selfHealsAt: endsAt,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: {
          ...{ holder: holder.id, since: unheard.since, connections: unheard.connections, endsAt },
          ...{ isReader, isShared, waiting: waitingFor(lock) },
        },
      });
    }
    return found.size === 0 && isUnknown ? 'presence' : [...found.values()];
  },
};

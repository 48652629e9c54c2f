import {
  type CommandConnection,
  type CommandConnectionOptions,
  openCommandConnection,
} from '../../redis/command-connection.ts';
import { expectOwn } from './own-keys.ts';

/**
 * Opens a connection of the demo. Each command passes here, from a client and from the stage: its word must be one of
 * the demo's, and its keys must begin with `prefix`.
 */
export function openDemoConnection({
  prefix,
  ...options
}: CommandConnectionOptions & { prefix: string }): CommandConnection {
  const { onReady } = options;
  const guarded = (connection: CommandConnection): CommandConnection => ({
    ...connection,
    async call(command, ...args) {
      expectOwn(prefix, command, args);
      return connection.call(command, ...args);
    },
  });
  return guarded(openCommandConnection({ ...options, ...(onReady && { onReady: (one) => onReady(guarded(one)) }) }));
}

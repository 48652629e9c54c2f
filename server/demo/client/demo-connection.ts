import {
  type CommandConnection,
  type CommandConnectionOptions,
  openCommandConnection,
} from '../../redis/connection/command-connection.ts';
import { expectOwn } from './own-keys.ts';

/** Opens a connection of a demo client. */
export type OpenConnection = (options: CommandConnectionOptions & { prefix: string }) => CommandConnection;

/**
 * Opens a connection for the demo. Every command of a client and of the stage is checked here: it must be one that the
 * demo uses, and its keys must begin with `prefix`. Otherwise `call` rejects with `ForeignCommand`.
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
  return guarded(
    openCommandConnection({ ...options, ...(onReady && { onReady: (ready) => onReady(guarded(ready)) }) }),
  );
}

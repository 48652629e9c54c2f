import { RedisError, type Reply } from './reply.ts';

/**
 * Whether these can be the replies to MULTI, some commands and EXEC. If a proxy skips a reply, every later reply would
 * be taken for the reply to another command.
 */
export function isTransaction(replies: readonly Reply[]): boolean {
  const [multi, ...queued] = replies;
  const results = queued.pop();
  const isAnswer = (reply: Reply | undefined, expected: string) => reply === expected || reply instanceof RedisError;
  if (!isAnswer(multi, 'OK') || !queued.every((reply) => isAnswer(reply, 'QUEUED'))) return false;
  return !Array.isArray(results) || results.length === queued.length;
}

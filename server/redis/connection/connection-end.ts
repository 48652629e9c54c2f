import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { Fault } from './resp-scanner.ts';

/** Why a connection of ours ended. `problemAt` returns the problem; its argument is the URL without credentials. */
export class ConnectionEnd extends Error {
  readonly problemAt: (where: string) => Problem;

  constructor(message: string, problemAt: (where: string) => Problem) {
    super(message);
    this.problemAt = problemAt;
  }
}

/** The bytes that follow cannot be read. */
export function unreadable(fault: Fault): ConnectionEnd {
  if (fault === 'not-resp') {
    return new ConnectionEnd('the first bytes are not RESP', (where) => problem('not-redis', { where }));
  }
  return new ConnectionEnd(`the server sent what Redis never sends: ${fault}`, (where) =>
    problem('unreadable-reply', { where, fault }),
  );
}

/** A command got no reply in time. */
export function noAnswer(command: string, seconds: number): ConnectionEnd {
  return new ConnectionEnd(`no answer to ${command} within ${seconds} s`, (where) =>
    problem('no-answer', { where, command, seconds }),
  );
}

/** The server closed a connection on which it had sent something before. */
export function closedByServer(): ConnectionEnd {
  return new ConnectionEnd('the server closed the connection', (where) => problem('cut', { where }));
}

/** More of the stream arrived than may be held back, while the reply to a read was awaited. */
export function tooMuchHeld(megabytes: number): ConnectionEnd {
  return new ConnectionEnd(`over ${megabytes} MB were held back`, (where) =>
    problem('snapshot-late', { where, megabytes }),
  );
}

/** Every read of keys was refused, or could not be placed in the stream, for this many seconds. */
export function noSnapshot(seconds: number): ConnectionEnd {
  return new ConnectionEnd(`no snapshot for ${seconds} s`, (where) => problem('no-snapshot', { where, seconds }));
}

/** Replies arrived for other commands than those to which they belong. */
export function outOfStep(): ConnectionEnd {
  return new ConnectionEnd('replies do not match their commands', (where) => problem('out-of-step', { where }));
}

import type { Problem } from '../problem-type.ts';
import type { Fault } from './resp-scanner.ts';

/** Why a connection of ours ended. `problemAt` returns the problem; its argument is the URL without credentials. */
export class ConnectionEnd extends Error {
  readonly problemAt: (where: string) => Problem;

  constructor(message: string, problemAt: (where: string) => Problem) {
    super(message);
    this.problemAt = problemAt;
  }
}

const AGAIN = 'Lockscope ended the connection and connects again by itself.';
const SENT: Record<Exclude<Fault, 'not-resp'>, string> = {
  'bad-frame': 'bytes that are not RESP',
  'too-deep': 'a reply nested more than 32 levels deep',
  'line-too-long': 'a line of more than 64 KB in a reply',
};

/** The bytes that follow cannot be read. */
export function unreadable(fault: Fault): ConnectionEnd {
  if (fault === 'not-resp') {
    return new ConnectionEnd('the first bytes are not RESP', (where) => ({
      code: 'not-redis',
      message: `${where} is not Redis.`,
      hint: 'Something else listens there. Check the port; Redis usually has 6379.',
    }));
  }
  return new ConnectionEnd(`the server sent ${SENT[fault]}`, (where) => ({
    code: 'unreadable-reply',
    message: `${where} sent ${SENT[fault]}. Redis never does.`,
    hint: `Check for a proxy between here and Redis. ${AGAIN}`,
  }));
}

/** A command got no reply in time. */
export function noAnswer(command: string, seconds: number): ConnectionEnd {
  return new ConnectionEnd(`no answer to ${command} within ${seconds} s`, (where) => ({
    code: 'no-answer',
    message: `${where} did not answer ${command} within ${seconds} s.`,
    hint: `Redis may be busy with a slow command or script, or a proxy may drop the command. ${AGAIN}`,
  }));
}

/** The server closed a connection on which it had sent something before. */
export function closedByServer(): ConnectionEnd {
  return new ConnectionEnd('the server closed the connection', (where) => ({
    code: 'cut',
    message: `${where} closed a connection that had worked.`,
    hint: 'Redis may have restarted, or a client may be too slow for its output limit. Lockscope connects again by itself.',
  }));
}

/** More of the stream arrived than may be held back, while another reply was awaited. */
export function tooMuchHeld(megabytes: number): ConnectionEnd {
  return new ConnectionEnd(`over ${megabytes} MB were held back`, (where) => ({
    code: 'snapshot-late',
    message: `${where} sent over ${megabytes} MB of its stream while Lockscope waited for another reply.`,
    hint: AGAIN,
  }));
}

/** Every read of keys was refused, or could not be placed in the stream. */
export function noSnapshot(seconds: number): ConnectionEnd {
  return new ConnectionEnd(`no snapshot for ${seconds} s`, (where) => ({
    code: 'no-snapshot',
    message: `Lockscope has had no snapshot of the locks in ${where} for ${seconds} s.`,
    hint: `This user may lack MULTI, EXEC, SELECT, ECHO or the keys (see lockscope doctor), or Redis answers too late. ${AGAIN}`,
  }));
}

/** A reply belongs to another command than the one it arrived for. */
export function outOfStep(): ConnectionEnd {
  return new ConnectionEnd('replies do not match their commands', (where) => ({
    code: 'out-of-step',
    message: `The replies of ${where} do not match the commands.`,
    hint: `Check for a proxy between here and Redis. ${AGAIN}`,
  }));
}

import type { FieldFault, RequestCode, TextsOf } from '../values.ts';

/** Requests and pages, in English. */
export const REQUEST_TEXTS: TextsOf<RequestCode> = {
  'bad-request': ({ where, ...fault }) => ({
    message: `Invalid ${where} field "${fault.field}": ${faultOf(fault)}.`,
    hint: `Correct "${fault.field}" and send the request again.`,
  }),
  'unreadable-request': () => ({
    message: 'The request cannot be read.',
    hint: 'Look at its headers and body. GET /api/health is a request that works.',
  }),
  'not-sent': () => ({ message: 'The request did not arrive in time.', hint: 'Send it again.' }),
  'too-long': () => ({
    message: 'The address is too long.',
    hint: 'Search with GET /api/locks?q= and a part of the name.',
  }),
  'too-large': () => ({ message: 'The body is larger than 2.5 MB.', hint: 'Send less.' }),
  'bad-json': () => ({ message: 'The body is not JSON.', hint: 'Send a JSON object.' }),
  'bad-path': () => ({ message: 'The path has a broken percent-encoding.', hint: 'Encode the name once.' }),
  'not-json': () => ({
    message: 'The body is not marked as JSON.',
    hint: 'Send "Content-Type: application/json".',
  }),
  'unknown-path': ({ method, path }) => ({
    message: `There is no ${method} ${path}.`,
    hint: 'GET /api/health shows that the server is up; the paths are listed in docs/api.md.',
  }),
  'wrong-method': ({ method, path, allowed }) => ({
    message: `${path} cannot be used with ${method}.`,
    hint: `Use one of ${allowed}. GET /api/openapi.json describes each path.`,
  }),
  'nothing-here': () => ({ message: 'There is nothing here.', hint: 'The page is at /, the API at /api/health.' }),
  internal: () => ({
    message: 'Internal error in Lockscope.',
    hint: 'See its log for details. Everything else still works.',
  }),
  'host-refused': () => ({
    message: 'This host name does not belong to Lockscope.',
    hint: 'Open the page by the address Lockscope printed. If it is part of an application, name the host in its option "hosts".',
  }),
  'origin-refused': () => ({
    message: 'Another site sent this request.',
    hint: 'Use the page that Lockscope serves.',
  }),
  'site-refused': () => ({
    message: 'Another site caused this request.',
    hint: 'Open the page itself, in its own tab.',
  }),
  'token-required': () => ({
    message: 'This Lockscope requires a token.',
    hint: 'Add ?token=TOKEN to the address once, or send "Authorization: Bearer TOKEN".',
  }),
  'login-required': () => ({
    message: 'The login of the application has not been passed, or has ended.',
    hint: 'Load the page again. A program sends a request first, with its login, and then the cookie of the answer.',
  }),
  'too-many-tries': ({ seconds }) => ({
    message: 'This address has sent ten wrong tokens.',
    hint: `Try again in ${seconds} s.`,
  }),
  busy: ({ why, seconds }) => ({
    message: BUSY[why],
    hint: `Read the pending answers first. Try again in ${seconds} s.`,
  }),
  'unknown-source': () => ({ message: 'There is no such source.', hint: 'GET /api/health lists them.' }),
  'no-such-fleet-source': () => ({ message: 'There is no such source.', hint: 'GET /api/fleet lists them.' }),
  'ask-a-source': ({ path, names }) => ({
    message: 'A viewer has no locks of its own: each source has them.',
    hint: `GET /sources/NAME/api${path}. ${names.length > 0 ? `NAME is, for example, ${names.join(', ')}. ` : ''}GET /api/fleet lists all sources.`,
  }),
  'sources-unread': () => ({
    message: 'The sources on the bus have not been read yet.',
    hint: 'Try again in a second. GET /api/fleet shows whether the bus answers.',
  }),
  'unknown-lock': () => ({
    message: 'No lock with that name has been seen.',
    hint: 'GET /api/locks?q= searches by a part of the name.',
  }),
  'unknown-client': () => ({
    message: 'No client with that id has been seen.',
    hint: 'GET /api/clients lists all clients.',
  }),
  'ambiguous-lock': ({ count, places }) => ({
    message: `${count} locks have that name.`,
    hint: `Add one of: ${places.join('  ')}`,
  }),
  'ambiguous-client': ({ count, places }) => ({
    message: `The client is known on ${count} sources.`,
    hint: `Add one of: ${places.join('  ')}`,
  }),
  'not-in-memory': ({ what }) => NOT_IN_MEMORY[what],
  'event-not-in-memory': ({ seq }) => ({
    message: `Event ${seq} is not in memory.`,
    hint: 'GET /api/events shows in oldestSeq and nextSeq which events are.',
  }),
  'lines-not-in-memory': ({ seq }) => ({
    message: `The Redis lines behind event ${seq} are not in memory.`,
    hint: 'Only the newest events of a source that this Lockscope watches itself, or of a recording, have them.',
  }),
  'in-the-future': ({ field, now }) => ({
    message: `"${field}" is an instant in the future.`,
    hint: `Redis's clock says ${now}, in microseconds since the epoch. Ask for an instant before that.`,
  }),
  forgotten: ({ oldestAt }) => ({
    message: `This instant is not in memory. ${oldestAt === undefined ? 'There is no event in memory yet.' : `Memory goes back to ${new Date(oldestAt / 1000).toISOString()}.`}`,
    hint: 'Ask for a later instant, or for the present without "at".',
  }),
  'no-metrics': () => ({
    message: 'There are no metrics here: this is a recording, or a viewer of a fleet.',
    hint: 'Ask the Lockscope that watches a Redis: its metrics are under /metrics.',
  }),
  'release-not-allowed': () => ({
    message: 'This Lockscope only watches.',
    hint: 'Start it with --allow-release to allow force-unlock.',
  }),
  'release-not-confirmed': () => ({
    message: 'The name of the lock was not confirmed.',
    hint: 'Send the same name as "confirm" in the body.',
  }),
  'release-unsafe': ({ reason }) => ({ message: NOT_SAFE[reason], hint: 'Nothing was sent to Redis.' }),
  'release-changed': () => ({
    message: 'The lock or its queue changed before the command was sent.',
    hint: 'Nothing was changed. Look at the lock again.',
  }),
  'release-unknown': () => ({
    message: 'The connection to Redis broke before its answer. It is not known whether Redis ran the command.',
    hint: 'Look at the lock again.',
  }),
  'release-refused': ({ quote }) => ({
    message: `Redis refused: ${quote}`,
    hint: 'If its user lacks a permission: docs/operating.md lists the commands that --allow-release needs.',
  }),
  'no-demo': () => ({ message: 'This Lockscope is not a demo.', hint: 'Start one with "lockscope demo".' }),
  recording: () => ({
    message: 'This is a recording. No Redis is connected, so nothing can be changed.',
    hint: 'To watch a Redis: lockscope REDIS_URL.',
  }),
  'watched-elsewhere': () => ({
    message:
      'This is a viewer: another process, an observer, watches each source. Nothing can be changed or examined here.',
    hint: 'Choose the level where the observer is started: lockscope observe URL --observe LEVEL. To examine a server: lockscope doctor URL.',
  }),
  'websocket-only': () => ({
    message: 'The live channel is a WebSocket.',
    hint: 'Connect with socket.io and transports: ["websocket"], or read GET /api/events.',
  }),
  'too-many-streams': ({ most }) => ({
    message: `Too many event streams are open: ${most} is the limit.`,
    hint: 'Close one of them, or ask with GET /api/events?after=.',
  }),
  'too-many-pages': () => ({ message: 'Too many pages are open.', hint: 'Close one of them.' }),
  'bad-message': ({ name, ...fault }) => ({
    message: `Invalid "${name}" message: ${fault.field === '' ? '' : `${fault.field}: `}${faultOf(fault)}.`,
    hint: 'Reload the page. If you wrote the client yourself, see docs/api.md for the messages.',
  }),
  'unknown-message': ({ name }) => ({ message: `There is no message "${name}".`, hint: 'Send "hello" or "want".' }),
  restarted: () => resync('Lockscope has been restarted.'),
  'event-unknown': () => resync('Lockscope has been restarted: it has no such event yet.'),
  'missed-too-much': () => resync('What you missed is no longer in memory.'),
  'too-many-changes': () => resync('Too many locks have changed in the meantime.'),
  'too-much-at-once': () => resync('Too many locks changed at once.'),
};

const NOT_SAFE = {
  free: 'No thread holds this lock.',
  kind: 'A lock of this kind cannot be released safely: its permits or counts belong to no holder.',
  library: 'It is not known how the waiters of this library are woken, so its lock cannot be released safely.',
  group: 'This hold belongs to a multi lock or RedLock. To release one member would leave the others held.',
  guessed: 'This key only looks like a lock.',
  modes: 'The lock is held for reading and for writing, or not all of its holders are known.',
  'no-queue': 'No waiter is known to be first in a queue of a Redisson fair lock with this name.',
  'head-alive': 'The first waiter in the queue is not known to be gone.',
} as const;

const BUSY = {
  waiting: 'Too many requests of this kind are waiting.',
  unread: 'Too many unread answers.',
  connection: 'Too many requests at once on one connection.',
} as const;

const NOT_IN_MEMORY = {
  range: {
    message: 'That time range is not in memory.',
    hint: 'GET /api/events shows in oldestSeq how far memory goes back; --record FILE keeps everything.',
  },
  lock: {
    message: 'The lock had not been seen at that instant.',
    hint: 'GET /api/events?lock= shows its first event.',
  },
} as const;

function resync(message: string) {
  return { message, hint: 'A snapshot follows.' };
}

function faultOf({ fault, expected }: FieldFault): string {
  switch (fault) {
    case 'type':
      return `expected ${expected}`;
    case 'too-big':
      return `expected at most ${expected}`;
    case 'too-small':
      return `expected at least ${expected}`;
    case 'choice':
      return `expected one of ${expected}`;
    case 'format':
      return `expected the format ${expected}`;
    case 'before':
      return `must not be earlier than "${expected}"`;
    case 'together':
      return `cannot be combined with "${expected}"`;
    case 'unknown':
      return 'there is no such field';
    case 'missing':
      return 'it is required';
    case 'other':
      return 'unexpected value';
  }
}

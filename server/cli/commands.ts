import type { FLAGS, Given } from './flags.ts';

const COMMANDS = ['demo', 'open', 'doctor', 'check', 'run', 'top', 'observe', 'view', 'store'] as const;
/** `undefined`: no command is named, so a Redis is watched and the page is served. */
type Command = (typeof COMMANDS)[number] | undefined;

/** Flags that work only with some commands, and the answer to any other command. */
const ONLY_WITH: readonly (readonly [keyof typeof FLAGS, readonly Command[], string])[] = [
  ['tls-cert', ['demo', 'open', 'view', undefined], '--tls-cert works only while Lockscope serves its page.'],
  ['tls-key', ['demo', 'open', 'view', undefined], '--tls-key works only while Lockscope serves its page.'],
  ['redis', ['demo'], '--redis works only with "lockscope demo". To watch a server: lockscope REDIS_URL.'],
  [
    'fleet',
    ['demo'],
    '--fleet works only with "lockscope demo". For servers of your own: "lockscope observe" and "view".',
  ],
  ['for', ['check', 'top'], '--for works only with "lockscope check" and "lockscope top".'],
  ['bus', ['observe', 'view', 'store'], '--bus works only with "lockscope observe", "view" and "store".'],
  ['bus-size', ['observe'], '--bus-size works only with "lockscope observe".'],
  ['as', ['observe'], '--as works only with "lockscope observe".'],
  ['measure', ['doctor'], '--measure works only with "lockscope doctor".'],
  ['yes', ['doctor'], '--yes works only with "lockscope doctor --measure".'],
  ['allow', ['run'], '--allow works only with "lockscope run".'],
  ['junit', ['run'], '--junit works only with "lockscope run".'],
  ['store', ['view', 'store', undefined], '--store works only with "lockscope REDIS_URL", "view" and "store".'],
  ['retain', ['view', 'store', undefined], '--retain works only with --store.'],
  ['store-size', ['view', 'store', undefined], '--store-size works only with --store.'],
  ['webhook', ['demo', undefined], '--webhook works only while Lockscope serves its page.'],
  ['otlp', ['demo', undefined], '--otlp works only while Lockscope watches a Redis and serves its page.'],
  [
    'metrics-lock',
    ['demo', undefined],
    '--metrics-lock works only while Lockscope watches a Redis and serves /metrics.',
  ],
  ['webhook-template', ['demo', undefined], '--webhook-template works only while Lockscope serves its page.'],
];

const WATCHING: readonly Command[] = ['demo', 'check', 'run', 'top', 'observe', undefined];
/** Flags that other commands would silently ignore, and what those commands do not do. */
const IGNORED: readonly (readonly [keyof typeof FLAGS, readonly Command[], string])[] = [
  ['record', ['demo', 'run', undefined], 'cannot record'],
  ['allow-release', ['demo', undefined], 'cannot release locks'],
  ['match', WATCHING, 'does not watch'],
  ['observe', WATCHING, 'does not watch'],
  ['configure-notifications', WATCHING, 'does not watch'],
];

/** The command that these words begin with. */
export function commandIn([first]: readonly string[]): Command {
  return COMMANDS.find((name) => name === first);
}

/** Why a flag does not belong to this command; `undefined` if all of them do. */
export function misplacedFlag(command: Command, given: Given): string | undefined {
  const isMisplaced = ([flag, owners]: (typeof IGNORED)[number]) => given(flag) && !owners.includes(command);
  const ignored = IGNORED.find(isMisplaced);
  if (ignored) return `"lockscope ${command}" ${ignored[2]}. Leave out --${ignored[0]}.`;
  return ONLY_WITH.find(isMisplaced)?.[2];
}

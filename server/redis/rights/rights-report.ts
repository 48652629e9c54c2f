import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import { aclLine, allow, COMPANION_RULES } from '../../../shared/doctor/rights/acl-line.ts';
import {
  hidesLocks,
  type Loss,
  lossesFrom,
  READING_RIGHTS,
  type Right,
  shownCommand,
  type WhyRefused,
} from '../../../shared/doctor/rights/rights.ts';
import { companionFrom } from '../../../shared/events/kinds/kinds.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import type { RefusedRights } from './refused-rights.ts';

const MOST_NAMES = 3;
const MOST_NAME_CHARACTERS = 200;
/**
 * The key that `tryReads` asks for if all names are watched. Lockscope never writes it, and its name has no meaning.
 */
export const TRIED_KEY = 'lockscope:try';

type Refused = ReadonlyMap<Right, WhyRefused>;

/** Why no lock can be read at this level; undefined: locks can be read. `db`: the database that is needed first. */
export function blockOf(
  rights: RefusedRights,
  level: ObserveLevel,
  db: number,
): Extract<Problem, { code: 'not-permitted' }> | undefined {
  const losses = lossesFrom(rights.commands);
  // Without key events, only a search finds locks.
  const needed: readonly Loss[] = level === 'snapshot' ? ['reading', 'search'] : ['reading'];
  const missing = needed.flatMap((loss) => losses.get(loss) ?? []);
  const isDatabase = rights.databases.includes(String(db));
  const isNoneRead = rights.keys.isLimited && rights.keys.readable === undefined;
  const { wholly, partly, lacking } = isNoneRead ? samplesOf(rights) : NO_SAMPLES;
  const keys = wholly.length > 0 ? namesOf(wholly) : undefined;
  if (missing.length === 0 && !isDatabase && wholly.length + partly.length === 0) return undefined;
  const { user, commands: refused } = rights;
  // One ACL line grants everything, including what would be found missing next.
  const all = [...losses].flatMap(([loss, some]) => (hidesLocks(loss) ? some : []));
  const rules = [
    ...new Set([...rulesOf(all, refused), ...lacking.map(allow)]),
    ...(isDatabase ? ['alldbs'] : []),
    ...(keys ? ['~*'] : []),
  ];
  const { commands, absent } = namedIn(missing, refused);
  return problem('not-permitted', {
    ...{ user, commands: [...new Set([...commands, ...lacking.map(shownCommand)])], absent, isDatabase },
    ...{ keys: keys ?? [], grant: aclLine(user, rules) },
  });
}

/** Whether locks may be missing, or shown in a stale state, because of what is refused. */
export function mayHideLocks({ commands, databases, keys }: RefusedRights): boolean {
  return keys.isLimited || databases.length > 0 || [...lossesFrom(commands).keys()].some(hidesLocks);
}

/** What is not seen because rights are missing, although locks are read. */
export function unseenOf(rights: RefusedRights, level: ObserveLevel): Problem[] {
  const { user, commands: refused, databases } = rights;
  const commands = [...lossesFrom(refused)].flatMap(([loss, missing]): Problem[] => {
    if (loss === 'reading' || (loss === 'settings' && level !== 'events')) return [];
    const grant = aclLine(user, rulesOf(missing, refused));
    return [problem('unseen-without-right', { loss, user, ...namedIn(missing, refused), grant })];
  });
  return [
    ...commands,
    ...(databases.length === 0
      ? []
      : [problem('unseen-databases', { user, databases: [...databases], grant: aclLine(user, ['alldbs']) })]),
    ...unseenKeys(rights),
  ];
}

/** Keys that may not be read, then keys that only some commands may not read. */
function unseenKeys(rights: RefusedRights): Problem[] {
  const { user } = rights;
  const { wholly, partly, lacking } = samplesOf(rights);
  const grant = aclLine(user, lacking.map(allow));
  return [
    ...(wholly.length > 0 ? [unreadKeys(user, wholly)] : []),
    ...(partly.length > 0
      ? [problem('unseen-keys', { user, names: namesOf(partly), commands: lacking.map(shownCommand), grant })]
      : []),
  ];
}

type Samples = {
  readonly wholly: readonly string[];
  /** Keys of locks that some commands may read. `lacking`: those that may not, without which no lock is read. */
  readonly partly: readonly string[];
  readonly lacking: readonly Right[];
};

const NO_SAMPLES: Samples = { wholly: [], partly: [], lacking: [] };

/** The samples of refused keys: with selectors, a user may lack only some commands for a key. */
function samplesOf(rights: RefusedRights): Samples {
  const lackingFor = (sample: string) => {
    const isBeside = companionFrom(textFromBinary(sample)) !== undefined;
    return isBeside ? [] : rights.refusedOnlyFor(sample).filter((right) => READING_RIGHTS[right] === 'reading');
  };
  const { samples } = rights.keys;
  return {
    wholly: samples.filter((sample) => lackingFor(sample).length === 0),
    partly: samples.filter((sample) => lackingFor(sample).length > 0),
    lacking: [...new Set(samples.flatMap(lackingFor))],
  };
}

function unreadKeys(user: string, samples: readonly string[]): Problem {
  const isBeside = samples.every((name) => companionFrom(textFromBinary(name)) !== undefined);
  const patterns = isBeside ? COMPANION_RULES : ['~*'];
  const names = namesOf(samples);
  const shown = names.length === 0 && isBeside ? patterns.map((rule) => rule.slice(1)) : names;
  return problem('unseen-keys', { user, names: shown, grant: aclLine(user, patterns) });
}

/** How the names of some keys begin, for example `payments:*`, without those that Lockscope made up. */
function namesOf(binaries: readonly string[]): string[] {
  const names = binaries.map(textFromBinary).filter((name) => !name.includes(TRIED_KEY));
  const shown = names.map((name) => {
    const [beginning] = /^.[^:./|_}-]*[:./|_}-](?=.)/s.exec(name) ?? [];
    return beginning === undefined ? name : `${beginning}*`;
  });
  return [...new Set(shown)].slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_NAME_CHARACTERS));
}

function rulesOf(rights: readonly Right[], refused: Refused): string[] {
  return rights.filter((right) => refused.get(right) === 'no-permission').map(allow);
}

/** The names of the refused commands as people write them (`PUBSUB NUMSUB`), by why they are refused. */
function namedIn(rights: readonly Right[], refused: Refused): { commands: string[]; absent: string[] } {
  const named = (why: WhyRefused) => rights.filter((right) => refused.get(right) === why).map(shownCommand);
  return { commands: named('no-permission'), absent: named('no-command') };
}

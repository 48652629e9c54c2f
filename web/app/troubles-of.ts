import { aclLine, rulesIn } from '../../shared/doctor/rights/acl-line.ts';
import { hidesLocks } from '../../shared/doctor/rights/rights.ts';
import type { ProblemOf } from '../../shared/wire/problems/problem.ts';
import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import type { Source } from '../../shared/wire/source.ts';
import { lacksRights } from '../../shared/wire/watched.ts';
import { byCode } from '../data/http/sent-problem.ts';
import { permissionCommand } from '../monitor/permission-command.ts';
import { insteadText, problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';

/**
 * What a banner shows. `heard`: what a screen reader announces instead of a message that changes every second.
 * `command`: a line to copy, after the hint.
 */
export type Trouble = {
  readonly message: string;
  readonly heard?: string;
  readonly hint: string;
  readonly command?: string;
};

/**
 * Everything about a source that a banner has to show: its problem, or why its level is reduced, and missing rights.
 */
export function troublesOf(source: Source, words: Words): Trouble[] {
  if (source.ended) return [];
  if (source.problem) return [problemTrouble(source.problem, words)];
  return [
    ...(source.guard.state === 'tripped' ? [levelTrouble(source, words)] : []),
    ...(lacksRights(source) ? [rightsTrouble(source, words)] : []),
  ];
}

function problemTrouble(problem: SentProblem, words: Words): Trouble {
  const text = problemText(words, problem);
  const known = byCode(problem);
  if (known.code === 'not-permitted') return withCommand(text.message, text.hint, known.values.grant, words);
  if (known.code === 'not-answering') {
    const { where, isBusy } = known.values;
    return { ...text, heard: isBusy ? words.states.isBusy(where) : words.states.notAnswering(where) };
  }
  return text;
}

/** Why the level is lower than requested. Reasons that are not about harm to Redis have a message of their own. */
function levelTrouble(source: Source, words: Words): Trouble {
  const { problem } = source.guard;
  const known = problem && byCode(problem);
  const { states, frame } = words;
  const refusedHint = states.levelRefusedHint[source.level];
  switch (known?.code) {
    case 'monitor-refused': {
      const { user } = known.values;
      return { message: states.monitorRefused(user), hint: refusedHint, command: permissionCommand(user) };
    }
    case 'subscribe-refused':
      return { message: problemText(words, known).message, hint: refusedHint, command: known.values.grant };
    case 'replica-monitor':
    case 'monitor-without-scripts':
    case 'replication-refused':
    case 'replication-unavailable':
      return { message: insteadText(words, known, source), hint: problemText(words, known).hint };
    default:
      return { message: frame.cutBack(source.url), hint: problem ? insteadText(words, problem, source) : '' };
  }
}

/** What is not seen because rights are missing, with one line that grants all of these rights. */
function rightsTrouble({ unseen }: Source, words: Words): Trouble {
  const refused = unseen.flatMap(lackIn);
  const user = refused[0]?.values.user ?? '';
  const command = aclLine(
    user,
    refused.flatMap(({ values }) => rulesIn(values.grant)),
  );
  const what = refused.map((limit) => withoutGrant(problemText(words, limit).message, limit.values.grant, words));
  return withCommand(words.states.lacksRights(user), words.common.sentences(what), command, words);
}

type Lack = ProblemOf<'unseen-without-right'> | ProblemOf<'unseen-keys'> | ProblemOf<'unseen-databases'>;

/** The limit, if a missing right causes it and it hides locks; otherwise an empty list. */
function lackIn(sent: SentProblem): Lack[] {
  const known = byCode(sent);
  switch (known.code) {
    case 'unseen-without-right':
      return hidesLocks(known.values.loss) ? [known] : [];
    case 'unseen-keys':
    case 'unseen-databases':
      return [known];
    default:
      return [];
  }
}

/** A trouble with `command` as a line of its own, which is removed from `hint`. An empty `command` adds no line. */
function withCommand(message: string, hint: string, command: string, words: Words): Trouble {
  const shown = withoutGrant(hint, command, words);
  return command === ''
    ? { message, hint: shown }
    : { message, hint: `${shown} ${words.states.toAllow}`.trim(), command };
}

function withoutGrant(text: string, grant: string, { problems }: Words): string {
  return grant === '' ? text : text.replace(problems.toAllow(grant), '').trim();
}

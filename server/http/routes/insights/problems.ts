import { noteBody, problemsBody, problemsQuery } from '../../../../shared/wire/insights/problem-log.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem, withoutServer } from '../../problems/problem.ts';
import { checkSource, OBSERVER_GONE } from '../observe.ts';

export const problemsRoute = route({
  method: 'GET',
  path: '/problems',
  operation: 'listProblems',
  tag: 'findings',
  summary: 'Lists the problems of the newest 24 hours with the notes about them, the newest first.',
  refusals: { 404: ['unknown-source'] },
  query: problemsQuery,
  answer: problemsBody,
}).handledBy(async ({ observatory, problems }: ApiContext, { query: { source } }) => {
  const at = observatory.now(source);
  const all = (await problems()).list(at);
  if (source === undefined) return { body: { v: 1, at, problems: all } };
  const ofSource = all.filter((each) => each.source === source);
  if (ofSource.length === 0) checkSource(observatory, source, 'source'); // a source of the past may have problems
  return { body: { v: 1, at, problems: ofSource } };
});

export const noteRoute = route({
  method: 'POST',
  path: '/problems/notes',
  operation: 'noteProblem',
  tag: 'findings',
  summary: 'Acknowledges a problem, or adds a note that everybody else sees, and that recordings keep.',
  refusals: { 404: ['unknown-problem'], 409: ['recording', 'watched-elsewhere'], 503: OBSERVER_GONE },
  body: noteBody,
  answer: problemsBody,
}).handledBy(async ({ observatory, problems }: ApiContext, { body: { insight, text, author, isAcknowledged } }) => {
  const log = await problems();
  const known = log.find(insight);
  if (!known) throw new HttpProblem(404, problem('unknown-problem'), 'insight');
  if (!observatory.note) throw withoutServer(observatory);
  const { source, db, lock } = known;
  await observatory.note(source, { insight, db, lock: lock ?? '', text, author: author ?? null, isAcknowledged });
  const at = observatory.now(source);
  return { body: { v: 1, at, problems: log.list(at) } };
});

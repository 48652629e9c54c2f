/** An opened verdict: its evidence, its time, its notes; and the list of ended problems. */
export const verdictDetails = {
  whyProblem: 'Why?',
  whyHint: 'Explains this kind of problem and how to prevent it.',
  evidenceHint: 'Shows the events on the timeline.',
  confidenceMeaning: {
    certain: 'Redis showed all of it.',
    likely: 'Other explanations are unlikely.',
    hint: 'Another explanation is about as good.',
  },
  endsIn: (left: string) => `ends by itself in ${left}`,
  ending: 'ends now',
  sinceAndEnd: (since: string, end: string) => `${since}, ${end}`,
  noEnd: 'no end known',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  tooLong: {
    since: (clock: string) => `too long since ${clock}`,
    sinceBefore: (clock: string) => `too long since ${clock} or earlier`,
  },
  ofSource: (source: string) => `the whole server ${source}`,
  noneInDay:
    'Lockscope has reported no problem since it was started, or in the last 24 hours if it was started before.',
  goesOn: (length: string) => `${length}, still so`,
  noteText: 'Note for everybody who looks at this problem',
  noteExample: 'restarting orders-api',
  noteAuthor: 'Your name',
  noteBy: (author: string | null, clock: string) => (author === null ? clock : `${author}, ${clock}`),
  mayBeWrong: 'Data may be wrong.',
};

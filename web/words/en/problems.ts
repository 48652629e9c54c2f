/** What went wrong, and what to do about it. */
export type Told = { readonly message: string; readonly hint: string };

/** Problems. What the server says is English: here it stays as it came. */
export const problems = {
  silent: 'The Lockscope server does not answer.',
  silentHint: 'See whether it still runs.',
  unreadable: (path: string, field: string) => `The answer of ${path} was not as expected (${field}).`,
  status: (status: number) => `The server answered ${status}.`,
  reloadHint: 'Reload this page: it may be older than the server.',
  /** What the server's problems say, by their code. `where` is the URL the message names, or empty. */
  byCode: {
    'over-budget': ({ message }) => ({
      message,
      hint: 'That is too much to start it without asking. Switch it on all the same for 30 s?',
    }),
  } as Readonly<Record<string, (told: Told, where: string) => Told>>,
  /** Single sentences of the server that carry no code. */
  bySentence: {} as Readonly<Record<string, string>>,
  /** Such sentences with values in them. */
  byPattern: [] as readonly { readonly pattern: RegExp; readonly say: (...values: string[]) => string }[],
};

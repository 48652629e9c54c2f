/** A problem: what happened, and what to do next. */
export type Told = { readonly message: string; readonly hint: string };

/** Problems. The server writes them in English, so most of them need no entry here. */
export const problems = {
  silent: 'The Lockscope server does not answer.',
  silentHint: 'Check that it is still running.',
  unreadable: (path: string, field: string) => `Unexpected response from ${path} (${field}).`,
  status: (status: number) => `The server responded with status ${status}.`,
  reloadHint: 'Reload this page: it may be older than the server.',
  /** Messages by problem code, instead of the server's own. `where` is the URL in the message, or empty. */
  byCode: {
    'over-budget': ({ message }) => ({
      message,
      hint: 'That is too much to start it without asking. Switch it on anyway for 30 s?',
    }),
  } as Readonly<Record<string, (told: Told, where: string) => Told>>,
  /** Translations of sentences of the server that have no code. */
  bySentence: {} as Readonly<Record<string, string>>,
  /** Translations of such sentences that contain values. */
  byPattern: [] as readonly { readonly pattern: RegExp; readonly say: (...values: string[]) => string }[],
};

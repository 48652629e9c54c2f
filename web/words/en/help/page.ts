/** The headings of the page of help. */
export const page = {
  title: 'Problems of locks',
  all: 'All problems',
  open: 'Open now',
  toLocks: 'Back to the locks',
  unknown: 'There is no help about this.',
  theme: {
    lost: 'A lock is lost',
    stuck: 'A lock is stuck',
    asleep: 'Waiters sleep',
    fair: 'Fair locks',
    contention: 'Contention and deadlock',
    server: 'The server',
    jvm: 'With a thread dump',
  },
  part: {
    what: 'What it is',
    why: 'Why it happens',
    shows: 'How it shows',
    prevent: 'How to prevent it',
    now: 'What to do now',
    versions: 'Versions',
  },
  see: 'See it happen',
  seeHint: 'Starts this scenario of the demo:',
  start: 'The demo shows this. Start it with',
  choose: 'and choose the scenario',
};

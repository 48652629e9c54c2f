// Follows a running Lockscope: what is wrong, which locks are held, and every event from now on.
import { connect, LockscopeError } from 'lockscope/client';

const [url = 'http://127.0.0.1:4680'] = process.argv.slice(2);
const lockscope = connect(url, { token: process.env.LOCKSCOPE_TOKEN });

try {
  const { insights } = await lockscope.insights({ open: true });
  for (const { severity, lock, title } of insights) console.log(`${severity} ${lock ?? ''}: ${title}`);
  const { locks } = await lockscope.locks({ held: true });
  for (const { name, holders } of locks) console.log(`held ${name} by ${holders.map(({ id }) => id).join(', ')}`);
} catch (error) {
  if (!(error instanceof LockscopeError)) throw error;
  console.error(`${error.message} ${error.hint}`);
  process.exit(1);
}

const live = lockscope.live({
  events: (events) => {
    for (const { seq, type, lock } of events) console.log(`event ${seq} ${type} ${lock}`);
  },
  gap: ({ afterSeq, nextSeq }) => console.log(`gap after ${afterSeq}, goes on with ${nextSeq}`),
  link: (link) => console.log(`link ${link}`),
});
process.on('SIGTERM', () => live.close());

/** What `lockscope --help` prints. */
export const USAGE = `Lockscope shows what every distributed lock in a Redis is doing.

Usage
  lockscope [REDIS_URL …]     watch one or several Redis servers (default redis://127.0.0.1:6379)
  lockscope demo              start a private Redis with demo clients and watch them
  lockscope doctor [URL]      say what can be seen on a server, and what would unlock more
  lockscope open FILE         open a recording

Flags
  --port PORT                 port of the page; 0 picks a free one (4680)
  --host HOST                 address to listen on (127.0.0.1). Others who can reach it need a token, and
                              everything goes over plain HTTP unless a proxy with TLS is in front
  --observe LEVEL             snapshot, events, monitor or auto: monitor in the demo, else events (auto)
  --match GLOB                only keys that match; may be given several times (all lock-shaped keys)
  --configure-notifications   switch Redis key notifications on while watching, and back on exit
  --allow-release             let the page force-unlock a lock
  --memory SIZE               memory that the whole process keeps to, at least 256mb (512mb)
  --token-file FILE           ask for the token in this file; at least 16 characters beyond this machine
  --token TOKEN               the same, but ps may show a command line: better LOCKSCOPE_TOKEN or --token-file
  --redis URL                 demo only: use this Redis instead of a private one
  --record FILE               record what is seen; "lockscope open FILE" shows it again
  --no-open                   do not open a browser
  --json                      log and report as JSON lines
  -h, --help                  this text
  -v, --version               the version

REDIS_URL is redis://[USER:PASSWORD@]HOST[:PORT][/DB], rediss://… with TLS, or unix:///PATH?db=DB;
redis+sentinel://HOST[:PORT],HOST…/MASTER follows a master, redis+cluster://HOST[:PORT],HOST… all masters of a cluster.
Without one on the command line, REDIS_URL of the environment is used. With a password, prefer REDIS_URL: ps may show
a command line to other users of the machine.

Environment
  REDIS_URL                   the Redis to watch
  LOCKSCOPE_TOKEN             ask for this token
`;

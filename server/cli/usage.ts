/** What `lockscope --help` prints. */
export const USAGE = `Lockscope shows what every distributed lock in a Redis is doing.

Usage
  lockscope [REDIS_URL …]     watch one or several Redis servers (default redis://127.0.0.1:6379)
  lockscope demo              start a private Redis with demo clients and watch them
  lockscope demo --fleet      start a fleet on this machine, with demo clients, and show all of it
  lockscope doctor [URL]      show what endangers locks on a server, which levels work, and the setting that changes it
  lockscope open FILE         open a recording
  lockscope top [REDIS_URL …] show verdicts and locks in this terminal; in a pipe, or with --json, a line for each change
  lockscope check [URL]       print what is wrong now; exit code 0: nothing, 3: warnings, 4: critical
  lockscope run [URL] -- COMMAND
                              run a command, such as a test suite, and fail if it leaves locks behind, blocks itself,
                              loses a lease or unlocks what it does not hold; exit code: the command's, or 4
  lockscope observe [URL] --bus REDIS_URL
                              watch one source without a page, and write what happens to a bus for viewers
  lockscope view --bus REDIS_URL [--store FILE|URL]
                              pages over all sources on a bus; with a store, also over their past (it writes a file itself)
  lockscope store --bus REDIS_URL --store FILE|URL
                              write what is on a bus into a store

Flags
  --port PORT                 port of the page; 0 picks a free one (4680)
  --host HOST                 address to listen on (127.0.0.1). If other machines can reach it, a token is
                              required, and everything goes over plain HTTP without --tls-cert or a TLS proxy
  --tls-cert FILE             serve HTTPS with this certificate (PEM, with its chain); files that change are read again
  --tls-key FILE              its private key (PEM, without passphrase)
  --observe LEVEL             snapshot, events, monitor or auto: monitor in the demo, else events (auto);
                              replication (experimental): from the replication stream, as a replica reads it
  --match GLOB                only keys that match; repeat it for several patterns (all lock-shaped keys)
  --configure-notifications   switch Redis key notifications on while watching, and back on exit
  --allow-release             let the page force-unlock a lock, or remove a dead queue head
  --memory SIZE               memory limit of the whole process, at least 256mb (512mb)
  --token-file FILE           require the token in this file; at least 16 characters if others can reach the page
  --token TOKEN               require this token; ps may show it, so prefer LOCKSCOPE_TOKEN or --token-file
  --redis URL                 demo only: use this Redis instead of a private one
  --fleet                     demo only: three servers with an observer each, a bus and a viewer
  --record FILE               record to this file; "lockscope open FILE" shows it
  --store FILE|URL            keep what happens in a file, or in postgres://[USER:PASSWORD@]HOST/DATABASE: the page then
                              reaches back over days, also after a restart; with a password, prefer LOCKSCOPE_STORE
  --retain TIME               how long the store keeps it, such as 12h or 30d (30d)
  --store-size SIZE           how large the store may become, such as 500mb or 10gb (10gb)
  --metrics-lock GLOB         metrics of single locks whose names match, at most 200; may be repeated
  --otlp URL                  export spans, verdicts and metrics to a receiver of OpenTelemetry
  --webhook URL               send each new critical verdict to this URL; prefer LOCKSCOPE_WEBHOOK, because ps may show it
  --webhook-template FILE     the message, with values such as {{title}} and {{lock}} (a text for Slack)
  --bus REDIS_URL             observe, view, store: the Redis between them; not a watched one
  --as NAME                   observe only: the name of the source on the bus (its host and port)
  --bus-size SIZE             observe only: how much of the source is kept on the bus (64mb)
  --for TIME                  check and top only: watch for this time, such as 30s or 5m
  --measure                   doctor only: measure what each level costs this server, 2 s each; asks first
  --yes                       with --measure: do not ask
  --allow INCIDENT            run only: do not fail because of this incident, or of left-behind, deadlock, lease-ended
                              or unlock-refused; may be repeated
  --junit FILE                run only: write the result as JUnit XML
  --no-open                   do not open a browser
  --json                      log and report as JSON lines
  -h, --help                  this text
  -v, --version               the version

REDIS_URL is redis://[USER:PASSWORD@]HOST[:PORT][/DB], rediss://… with TLS, or unix:///PATH?db=DB;
redis+sentinel://HOST[:PORT],HOST…/MASTER follows a master, redis+cluster://HOST[:PORT],HOST… all masters of a cluster.
Without a URL on the command line, REDIS_URL of the environment is used. If it has a password, prefer REDIS_URL: ps may
show a command line to other users of the machine.

Environment
  REDIS_URL                   the Redis to watch
  LOCKSCOPE_TOKEN             require this token
  LOCKSCOPE_STORE             as --store
  LOCKSCOPE_BUS               as --bus; prefer it if the URL has a password
  LOCKSCOPE_WEBHOOK           send each new critical verdict to this URL
  OTEL_EXPORTER_OTLP_ENDPOINT as --otlp; docs/opentelemetry.md lists further variables
`;

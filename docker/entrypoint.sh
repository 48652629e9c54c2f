#!/bin/sh
set -eu
# An observer and a store writer serve no page.
case "${1:-}" in
  observe | store) exec node /app/dist/server/main.js "$@" ;;
esac
# Whoever publishes the port of a container may publish it to others, so its page always needs a token.
if [ -z "${LOCKSCOPE_TOKEN:-}" ]; then
  LOCKSCOPE_TOKEN=$(node -p 'crypto.randomBytes(16).toString("hex")')
  export LOCKSCOPE_TOKEN
  echo "No LOCKSCOPE_TOKEN is set, so this run has a token of its own. Open http://127.0.0.1:4680/?token=$LOCKSCOPE_TOKEN" >&2
  echo "(with the port that you have published)." >&2
fi
exec node /app/dist/server/main.js --host 0.0.0.0 --no-open "$@"

import { expect, test } from 'vitest';
import { dockerError } from './docker-command.ts';

/** Real output of docker. */
const PORT_OF_A_PROGRAM =
  'docker: Error response from daemon: driver failed programming external connectivity on endpoint sharp_pike (4c2a): Error starting userland proxy: listen tcp4 127.0.0.1:13555: bind: address already in use.';
const PORT_OF_A_CONTAINER =
  'docker: Error response from daemon: driver failed programming external connectivity on endpoint old_moser (ffde): Bind for 127.0.0.1:13556 failed: port is already allocated';
const NO_ENGINE = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n';
const NOT_ALLOWED = `WARNING: Error loading config file: open /home/app/.docker/config.json: permission denied
permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/info": dial unix /var/run/docker.sock: connect: permission denied
`;
const MORE_HELP = "\n\nRun 'docker run --help' for more information\n";

test.each([
  [PORT_OF_A_PROGRAM + MORE_HELP, 'port-taken', /127\.0\.0\.1:13555.*Try again\.$/],
  [PORT_OF_A_CONTAINER + MORE_HELP, 'port-taken', /127\.0\.0\.1:13556.*Try again\.$/],
  [NO_ENGINE, 'docker-stopped', /^No Docker engine is running\. Start Docker, then try again\.$/],
  [NOT_ALLOWED, 'docker-refused', /^This user may not use Docker\. Add the user to the group docker/],
  ['spawn docker ENOENT', 'no-docker', /^The docker command is not in PATH\. Install Docker or redis-server\.$/],
  ['docker: Error response from daemon: no space left on device.\n', 'servers-failed', /^no space left on device$/],
])('%j is reported as %s', (complaint, code, message) => {
  const error = dockerError(complaint);
  expect({ code: error.problem.code, lines: error.message.split('\n').length }).toEqual({ code, lines: 1 });
  expect(error.message).toMatch(message);
});

import type { DemoCode, TextsOf } from '../values.ts';

const NOT_STARTED = 'The servers of the scenario did not start:';
const TRY_AGAIN = 'Then start it again, or choose another one.';
const REDIS_SERVER = 'Install redis-server';

/** The demo, its clients and its private servers, in English. */
export const DEMO_TEXTS: TextsOf<DemoCode> = {
  'key-in-use': ({ key }) => ({
    message: `The scenario would use the key ${key}, which another client created.`,
    hint: 'Nothing was changed. Start the demo without --redis, or on an empty database: --redis redis://HOST:PORT/5.',
  }),
  'foreign-key': ({ prefix, isOdd, longest }) => ({
    message: isOdd
      ? `A name here has 1 to ${longest} characters, without braces and control characters.`
      : `On this Redis the demo uses only names that begin with ${prefix}.`,
    hint: `For example ${prefix}orders:42. Without --redis the demo has a private Redis and takes any name.`,
  }),
  'too-many-names': ({ most }) => ({
    message: `The demo has used ${most} names.`,
    hint: 'Start the demo again to use further names.',
  }),
  'no-such-scenario': ({ scenario, known }) => ({
    message: `There is no scenario ${scenario}.`,
    hint: `Scenarios: ${known.join(', ')}.`,
  }),
  'recorded-demo': () => ({
    message: 'This is a recording, so its clients cannot be driven.',
    hint: `${REDIS_SERVER}, then start "lockscope demo" again.`,
  }),
  'no-such-client': ({ client, known }) => ({
    message: `There is no demo client ${client}.`,
    hint: `Clients: ${known.join(', ')}.`,
  }),
  'no-such-thread': ({ client, threads }) => ({
    message: `Client ${client} has no such thread.`,
    hint: `Threads: 1 to ${threads}.`,
  }),
  'wrong-state': ({ client, state, action, possible }) => ({
    message: `Client ${client} is ${state}${action === undefined ? '' : `, so you cannot ${action} it`}.`,
    hint: possible.length === 0 ? 'Wait a moment.' : `Possible now: ${possible.join(', ')}.`,
  }),
  'client-failed': ({ client, quote }) => ({
    message: `Client ${client} did not start: ${quote}`,
    hint: 'Check that the Redis of the demo is still running.',
  }),
  'client-ended': ({ client, action }) => ({
    message: `Client ${client} ended in the middle of its ${action}.`,
    hint: 'Start the scenario again.',
  }),
  'step-missing': ({ step, title }) => ({
    message: `Step ${step} did not happen: ${title}.`,
    hint: 'Start the scenario again.',
  }),
  'scenario-failed': ({ quote }) => ({ message: `The scenario failed: ${quote}`, hint: 'Start the scenario again.' }),
  'servers-failed': ({ quote }) => ({
    message: `${NOT_STARTED} ${quote}`,
    hint: `Solve what the message names. ${TRY_AGAIN}`,
  }),
  'no-docker': () => ({
    message: `${NOT_STARTED} the docker command is not in PATH.`,
    hint: `Install Docker or redis-server. ${TRY_AGAIN}`,
  }),
  'docker-refused': () => ({
    message: `${NOT_STARTED} this user may not use Docker.`,
    hint: `Add the user to the group docker and log in again. ${TRY_AGAIN}`,
  }),
  'docker-stopped': () => ({
    message: `${NOT_STARTED} No Docker engine is running.`,
    hint: `Start Docker. ${TRY_AGAIN}`,
  }),
  'docker-silent': () => ({ message: `${NOT_STARTED} Docker does not answer.`, hint: `Restart Docker. ${TRY_AGAIN}` }),
  'no-image': ({ image, quote }) => ({
    message: `${NOT_STARTED} Docker has no image ${image} and cannot pull it (${quote}).`,
    hint: 'Check the name and the network, or set REDIS_IMAGE to an image that "docker images" lists.',
  }),
  'port-taken': ({ quote }) => ({
    message: `${NOT_STARTED} another program uses a port that was free before: ${quote}.`,
    hint: 'Start the scenario again.',
  }),
};

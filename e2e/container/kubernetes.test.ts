import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { connect } from '../../library/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANSWER_MS, type Container, docker, END_MS, ROOT, startContainer, TOKEN } from './container.ts';

/* Runs the container of the Kubernetes example as a node of a cluster would run it. */

const image = inject('image');
const NETWORK = 'lockscope-kubernetes-test';
const REDIS = 'redis:8.0';

type Pod = {
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [
    {
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly valueFrom: { secretKeyRef: { key: string } } }[];
      readonly resources: { readonly limits: { readonly memory: string } };
      readonly securityContext: {
        readonly readOnlyRootFilesystem: boolean;
        readonly allowPrivilegeEscalation: boolean;
        readonly capabilities: { readonly drop: readonly string[] };
      };
      readonly volumeMounts: readonly { readonly mountPath: string }[];
    },
  ];
};

type KubernetesObject = { readonly kind: string; readonly spec: { readonly template?: { readonly spec: Pod } } };

let container: Container | undefined;

beforeAll(async () => {
  if (!image) return;
  await docker('network', 'create', NETWORK);
  await docker(
    'run',
    '--detach',
    '--name',
    `${NETWORK}-redis`,
    '--network',
    NETWORK,
    '--network-alias',
    'redis',
    REDIS,
  );
});

afterAll(async () => {
  if (!image) return;
  await container?.remove();
  await docker('rm', '--force', '--volumes', `${NETWORK}-redis`);
  await docker('network', 'rm', NETWORK);
});

function podOfExample(): Pod {
  const text = readFileSync(join(ROOT, 'deploy/kubernetes/lockscope.yaml'), 'utf8');
  const objects = parseAllDocuments(text).map((each) => each.toJS() as KubernetesObject); // a file of this repository
  const pod = objects.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec;
  if (!pod) throw new Error('The example has no Deployment.');
  return pod;
}

/** The flags of `docker run` that mean the same as the pod. */
function flagsFor(pod: Pod, secret: Readonly<Record<string, string>>): string[] {
  const [{ env, resources, securityContext, volumeMounts }] = pod.containers;
  return [
    ...['--user', `${pod.securityContext.runAsUser}:${pod.securityContext.fsGroup}`],
    ...(securityContext.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...(securityContext.allowPrivilegeEscalation ? [] : ['--security-opt', 'no-new-privileges:true']),
    ...securityContext.capabilities.drop.flatMap((name) => ['--cap-drop', name]),
    ...volumeMounts.flatMap(({ mountPath }) => ['--tmpfs', mountPath]),
    ...['--memory', resources.limits.memory.replace('Mi', 'm')],
    ...env.flatMap(({ name, valueFrom }) => ['--env', `${name}=${secret[valueFrom.secretKeyRef.key] ?? ''}`]),
  ];
}

test.skipIf(!image)('the pod of the Kubernetes example observes Redis and ends in its grace period', async () => {
  const pod = podOfExample();
  const flags = flagsFor(pod, { 'redis-url': 'redis://redis:6379', token: TOKEN });
  container = await startContainer(image ?? '', ['--network', NETWORK, ...flags], pod.containers[0].args);
  const { url, log, end } = container;
  const lockscope = connect(url, { token: TOKEN, answerWithinMs: ANSWER_MS });
  await waitFor('Redis to be observed', async (missing) => {
    const health = await lockscope.health().catch(() => undefined);
    return health?.sources[0]?.status === 'observing' || missing(await log());
  });
  await docker(
    'exec',
    `${NETWORK}-redis`,
    'redis-cli',
    'HSET',
    'orders:42',
    '6e7b5bd0-6d6c-4a37-a3ea-0f8a4d8a4b5f:1',
    '1',
  );
  await docker('exec', `${NETWORK}-redis`, 'redis-cli', 'PEXPIRE', 'orders:42', '30000');
  await waitFor('the lock', async () => (await lockscope.locks({ held: true })).locks[0]?.name === 'orders:42');
  const { code, ms } = await end();
  expect(code).toBe('0');
  expect(ms).toBeLessThan(Math.min(END_MS, pod.terminationGracePeriodSeconds * 1000));
});

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { canRun, isOnPath } from './on-path.mjs';
import { runCommand, say } from './run-command.mjs';

/** What the tests need beside Node: how to know that it is there, its Debian package, another way to get it. */
const PIECES = [
  {
    name: 'redis-server',
    isThere: () => !!process.env.REDIS_SERVER || isOnPath('redis-server'),
    debian: 'redis-server',
    elsewhere: 'brew install redis',
  },
  {
    name: 'Chromium',
    isThere: async () => canRun('/usr/bin/chromium') || existsSync(await chromiumOfPlaywright()),
    debian: 'chromium',
    elsewhere: 'npx playwright install chromium',
  },
  {
    name: 'a JDK (javac)',
    isThere: () => isOnPath('javac'),
    debian: 'default-jdk-headless',
    elsewhere: 'brew install openjdk',
  },
  { name: 'Maven (mvn)', isThere: () => isOnPath('mvn'), debian: 'maven', elsewhere: 'brew install maven' },
];

/** Installs what the tests need and this machine lacks, where it may; gives the names of what is missing still. */
export async function completeMachine() {
  const missing = await missingPieces();
  if (missing.length === 0) return [];
  const packages = missing.map(({ debian }) => debian);
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    say(`installing what the tests need: ${packages.join(', ')}`);
    await install(packages);
    const stillMissing = await missingPieces();
    if (stillMissing.length > 0) say(`apt-get did not bring ${namesOf(stillMissing).join(', ')}`);
    return namesOf(stillMissing);
  }
  for (const { name, debian, elsewhere } of missing) {
    const command = isOnPath('apt-get') ? `sudo apt-get install -y ${debian}` : elsewhere;
    say(`the tests need ${name}. Install it: ${command}`);
  }
  return namesOf(missing);
}

async function missingPieces() {
  const isMissing = await Promise.all(PIECES.map(async ({ isThere }) => !(await isThere())));
  return PIECES.filter((_, index) => isMissing[index]);
}

function namesOf(pieces) {
  return pieces.map(({ name }) => name);
}

async function install(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await withoutStartingServices(async () => {
    await runCommand(['apt-get', 'update', '-q'], { env });
    await runCommand(['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages], { env });
  });
}

/** Debian starts a service when its package is installed, unless this file says that it may not. */
async function withoutStartingServices(job) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return job();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await job();
  } finally {
    rmSync(policy, { force: true });
  }
}

async function chromiumOfPlaywright() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

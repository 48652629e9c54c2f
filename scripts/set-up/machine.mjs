import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { canRun, isOnPath } from './on-path.mjs';
import { runCommand, say } from './run-command.mjs';

/**
 * What some tests need beside Node: how to know that it is there, its Debian package, and Homebrew's. `isForFew`: without
 * it only few tests of their stage fail, and say why.
 */
const PIECES = {
  redis: {
    name: 'redis-server',
    isThere: async () => !!process.env.REDIS_SERVER || isOnPath('redis-server') || (await hasDockerEngine()),
    debian: 'redis-server',
    homebrew: 'redis',
  },
  chromium: {
    name: 'Chromium',
    isThere: async () => canRun('/usr/bin/chromium') || existsSync(await chromiumOfPlaywright()),
    debian: 'chromium',
    anywhere: 'npx playwright install chromium',
  },
  jdk: {
    name: 'a JDK (javac)',
    isThere: () => isOnPath('javac'),
    debian: 'default-jdk-headless',
    homebrew: 'openjdk',
  },
  maven: { name: 'Maven (mvn)', isThere: () => isOnPath('mvn'), debian: 'maven', homebrew: 'maven' },
  python: {
    name: 'Python 3 with venv',
    isThere: async () => (await runCommand(['python3', '-c', 'import ensurepip, venv'], { isQuiet: true })).code === 0,
    debian: 'python3-venv',
    homebrew: 'python',
    isForFew: true,
  },
};

/** Installs the needed pieces this machine lacks, where it may; gives the names of what is missing still and must be there. */
export async function completeMachine(needed) {
  const pieces = Object.entries(PIECES).flatMap(([id, piece]) => (needed.has(id) ? [piece] : []));
  const missing = await missingOf(pieces);
  if (missing.length === 0) return [];
  const packages = missing.map(({ debian }) => debian);
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    say(`installing what the tests need: ${packages.join(', ')}`);
    await install(packages);
    const stillMissing = await missingOf(pieces);
    if (stillMissing.length > 0) say(`apt-get did not bring ${namesOf(stillMissing).join(', ')}`);
    return namesOf(stillMissing.filter(mustBeThere));
  }
  for (const piece of missing) say(`the tests need ${piece.name}. Install it: ${commandFor(piece)}`);
  return namesOf(missing.filter(mustBeThere));
}

async function missingOf(pieces) {
  const isMissing = await Promise.all(pieces.map(async ({ isThere }) => !(await isThere())));
  return pieces.filter((_, index) => isMissing[index]);
}

function commandFor({ debian, homebrew, anywhere }) {
  if (isOnPath('apt-get')) return `sudo apt-get install -y ${debian}`;
  if (anywhere) return anywhere;
  return isOnPath('brew') ? `brew install ${homebrew}` : `the package ${homebrew} of your system`;
}

function mustBeThere({ isForFew }) {
  return !isForFew;
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

/** The tests run their servers in containers where there is no redis-server. */
async function hasDockerEngine() {
  return isOnPath('docker') && (await runCommand(['docker', 'info'], { isQuiet: true, withinMs: 10_000 })).code === 0;
}

async function chromiumOfPlaywright() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

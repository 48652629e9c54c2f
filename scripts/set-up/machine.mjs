import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { canRun, isOnPath } from './on-path.mjs';
import { runCommand, say } from './run-command.mjs';

const PHP_LIBRARIES =
  "new Redis(); require 'Symfony/Component/Lock/autoload.php'; require 'Illuminate/Redis/autoload.php';";

/**
 * Programs that some tests need: how to check for them, and their packages for Debian and Homebrew. `isForFew`: without
 * the program, only a few tests of a stage are skipped or fail, and report why. `isForSpeed`: without the program,
 * tests are slower.
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
  headlessShell: {
    name: 'the headless shell of Chromium',
    isThere: () => canRun('/usr/bin/chromium-headless-shell'),
    debian: 'chromium-headless-shell',
    isForSpeed: true,
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
  go: { name: 'Go 1.25', isThere: () => isOnPath('go'), debian: 'golang-go', homebrew: 'go', isForFew: true },
  php: {
    name: 'PHP with the Redis extension, Symfony Lock and Laravel Cache',
    isThere: async () => (await runCommand(['php', '-r', PHP_LIBRARIES], { isQuiet: true })).code === 0,
    debian: 'php-cli php-redis php-symfony-lock php-illuminate-cache php-illuminate-redis php-illuminate-container',
    homebrew: 'php',
    isForFew: true,
  },
  prometheus: {
    name: 'Prometheus (prometheus and promtool)',
    isThere: () => isOnPath('prometheus') && isOnPath('promtool'),
    debian: 'prometheus',
    homebrew: 'prometheus',
    isForFew: true,
  },
  postgres: {
    name: 'PostgreSQL (initdb and postgres)',
    isThere: () => !!process.env.POSTGRES_BIN || isOnPath('postgres') || existsSync('/usr/lib/postgresql'),
    debian: 'postgresql',
    homebrew: 'postgresql',
    isForFew: true,
  },
  nginx: {
    name: 'nginx',
    isThere: () => !!process.env.NGINX || isOnPath('nginx'),
    debian: 'nginx-light',
    homebrew: 'nginx',
    isForFew: true,
  },
};

/**
 * Installs missing programs if this process is root and apt-get exists. Returns the names of required programs still
 * missing.
 */
export async function completeMachine(needed) {
  const pieces = Object.entries(PIECES).flatMap(([id, piece]) => (needed.has(id) ? [piece] : []));
  const missing = await missingOf(pieces);
  if (missing.length === 0) return [];
  const packages = packagesOf(missing.filter(({ isForSpeed }) => !isForSpeed));
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const faster = packagesOf(missing.filter(({ isForSpeed }) => isForSpeed));
    say(`installing what the tests need: ${[...packages, ...faster].join(', ')}`);
    await install(packages, faster);
    const stillMissing = await missingOf(pieces);
    if (stillMissing.length > 0) say(`apt-get did not install ${namesOf(stillMissing).join(', ')}`);
    return namesOf(stillMissing.filter(mustBeThere));
  }
  for (const piece of missing.filter(({ isForSpeed }) => !isForSpeed)) {
    say(`the tests need ${piece.name}. Install it: ${commandFor(piece)}`);
  }
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

function mustBeThere({ isForFew, isForSpeed }) {
  return !isForFew && !isForSpeed;
}

function packagesOf(pieces) {
  return pieces.flatMap(({ debian }) => debian.split(' '));
}

function namesOf(pieces) {
  return pieces.map(({ name }) => name);
}

/**
 * Installs the packages of `faster` separately: not every release has them, and one that is missing would stop the
 * installation of the others.
 */
async function install(packages, faster) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await withoutStartingServices(async () => {
    await runCommand(['apt-get', 'update', '-q'], { env });
    for (const some of [packages, faster]) {
      if (some.length === 0) continue;
      await runCommand(['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...some], { env });
    }
  });
}

/** Runs `job` with a file that keeps Debian from starting services when their packages are installed. */
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

/** True if Docker is running. Without redis-server, the tests run their servers in containers. */
async function hasDockerEngine() {
  return isOnPath('docker') && (await runCommand(['docker', 'info'], { isQuiet: true, withinMs: 10_000 })).code === 0;
}

async function chromiumOfPlaywright() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

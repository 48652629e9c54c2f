import type { LineSignal } from '../../signals/signal.ts';
import { scriptShaOf } from '../../signals/step.ts';

/** The operation of the script that acquires a spin lock, and until 3.18.1 a plain lock as well. */
export const SPIN_SCRIPT = 'lock (RLock to 3.18.1; spin 3.15.0+)';

/**
 * Which Redisson versions ship a script, by the SHA1 of its text. What a script did is read from its inner commands;
 * the SHA gives the client's version, and distinguishes scripts that ran the same commands.
 *
 *   [sha1, operation, first version, last version seen]
 */
const SCRIPTS: readonly (readonly [sha: string, operation: string, first: string, last: string])[] = [
  ['9401052d872adfd0179ef8c8e8c028512707629a', 'lock', '3.1.0', '3.12.2'],
  ['dad0f8d619e548e04f21fb48d50be5034df3adae', SPIN_SCRIPT, '3.12.3', '4.7.0'],
  ['149c5a8bf18676fd99e9e6e24923bd64d9b62f94', 'lock', '3.19.0', '4.7.0'],
  ['93cfc048f82624d1670a310aa0ad58918c0824a5', 'unlock', '3.1.0', '3.10.5'],
  ['3ffe249c16dee540ac8ab32e39bd408626b9aff7', 'unlock', '3.10.6', '3.21.3'],
  ['778cea8aada230ae060b432fc333adaec85f2f4c', 'unlock', '3.22.0', '3.23.5'],
  ['6866459238a13a701d42f4971f12d9f3a50e2442', 'unlock', '3.24.0', '4.7.0'],
  ['7e9c80b3d786b95d5d4aaf8fd73adb9775fa6fb1', 'force-unlock', '3.1.0', '3.21.3'],
  ['605e338249a7a1d40df83b04f7658354f883b41b', 'force-unlock', '3.22.0', '4.7.0'],
  ['8e19a1ddbdee9138df9f32a480c57addab4353d1', 'renew (single)', '3.1.0', '3.43.0'],
  ['6a3d31570dc6f4b0bd32bcdc8e75667747c6f635', 'renew (batch)', '3.44.0', '4.7.0'],
  ['46b5551ba403d6152a7a6eca122e08728d6c8c66', 'fenced lock', '3.19.0', '4.7.0'],
  ['49babb5a1e6a0c5f188c2ae62b93b51cdfd63e45', 'fenced lock, token returned', '3.19.0', '4.7.0'],
  ['51b433c3cc9a6ca991b3aefec63d23490c246318', 'spin force-unlock', '3.15.0', '4.7.0'],
  ['5b9e58d1bcb8498e14aa1d5b49a1ca5b90748946', 'spin unlock', '3.15.0', '3.23.5'],
  ['73ac2729af29ea9a975f95e8097f7ee9a74cce3d', 'spin unlock', '3.24.0', '4.7.0'],
  ['3daa7be6cf69d9309ad990442e83bf25094f9b22', 'non-reentrant lock', '4.4.0', '4.7.0'],
  ['95cdf4b03f82c82edf987c7d216b4b67d861b14f', 'fair force-unlock', '3.2.0', '3.21.3'],
  ['047c11d7fec40d0102fe9903ff1e19e9a1dec610', 'fair force-unlock', '3.22.0', '3.30.0'],
  ['71ed11d4e4818119ac560b3d670a7f08256afc46', 'fair force-unlock', '3.31.0', '4.7.0'],
  ['33148f0ca0bbc1fae2674efa67209dcb1f6c6431', 'fair give-up', '3.5.5', '3.11.0'],
  ['d1ddef65ad80886b5d36e023c99930044ddd653a', 'fair give-up', '3.11.1', '4.7.0'],
  ['c10436d1a94338a33b5ca6ac6f483f6b92193d48', 'fair lock/queue', '3.2.0', '3.11.0'],
  ['762bfafa6be221431a0b668685dd15c926483619', 'fair lock/queue', '3.11.1', '3.30.0'],
  ['f453a73adbe05f097ff2810e5e0c0489a9350076', 'fair lock/queue', '3.31.0', '3.31.0'],
  ['929defe0321e0a4c943b4244951d3a730b6eaabc', 'fair lock/queue', '3.32.0', '3.44.0'],
  ['8f6ed299ffd259f0539c20f89253998c0777ea75', 'fair lock/queue', '3.45.0', '4.7.0'],
  ['46724422f148047badd768b1b1a3d750d86bded2', 'fair non-reentrant lock/queue', '4.4.0', '4.7.0'],
  ['5bea9498faee85066db11f2f8bf80fccbf222eaf', 'fair non-reentrant try-once', '4.4.0', '4.7.0'],
  ['706c2b7e93b133c46a7d8593a3a95d5ab55e6721', 'fair try-once', '3.2.0', '3.11.0'],
  ['aa0a28d2eb7cbeb50151315a58eb75302d8dfa40', 'fair try-once', '3.11.1', '3.30.0'],
  ['d20501c26a30adf6fb0fe9883bbbcc497e6157e2', 'fair try-once', '3.31.0', '4.7.0'],
  ['35d32367b21753c39b55dc64d1906fee627cc9a8', 'fair unlock', '3.3.2', '3.21.3'],
  ['14f85250fb2a386500bf8e4b25a8e95db140ff0c', 'fair unlock', '3.22.0', '3.23.5'],
  ['ca303f8587d0942f8a0021f62338626ca4dd0118', 'fair unlock', '3.24.0', '3.30.0'],
  ['367f80bd2e300e411fb0936d9b601e5bcb3fd4b6', 'fair unlock', '3.31.0', '4.7.0'],
  ['23f9bc91439172625235ce2ee06d6647f08a7e27', 'read force-unlock', '3.3.2', '3.21.3'],
  ['27dbe744e95c1d854a7f556cc6817030de2d0d01', 'read force-unlock', '3.22.0', '4.7.0'],
  ['8ad44f1ba014938c20da38206b6d496c85ec1aed', 'read isLocked query', '3.24.0', '4.7.0'],
  ['3e6597e1d1157c59ac0d6efa2ba7e92ef418c41e', 'read lock', '3.5.5', '3.11.0'],
  ['95553a6ff11176c18e71344e89d116b06fd6f753', 'read lock', '3.11.1', '4.7.0'],
  ['1affef780a01e1406cb1968c62918f618d10d6a3', 'read renew (batch)', '3.44.0', '3.52.0'],
  ['d6564f42b98d6eece0e940a478ee248f80b8a90a', 'read renew (batch)', '4.0.0', '4.3.1'],
  ['38d2b478dfbe264ab67c221b7e4be62245f00ba0', 'read renew (batch)', '4.4.0', '4.7.0'],
  ['6563941ff57e01b8cf61e86907b80686438a2f74', 'read renew (single)', '3.8.1', '3.43.0'],
  ['f5469be4bfe5232d519471092634b3ee84e5ee6f', 'read unlock', '3.5.5', '3.21.3'],
  ['92a54c31a4dc3b46f81e24a6dd5bb7d677c6f882', 'read unlock', '3.22.0', '3.23.5'],
  ['5947c0fee6ca25ae094ec1b3e7a2559a9273d29f', 'read unlock', '3.24.0', '3.43.0'],
  ['6e1b10e11ac0a3ed8e902562ecd32ce01b553039', 'read unlock', '3.44.0', '4.7.0'],
  ['23639b0b2d18d26ce352e148ff4ac5b8e984b696', 'write force-unlock', '3.3.2', '3.21.3'],
  ['2e2cb2a3b13e2e80e4236ef6a25beaf365dba608', 'write force-unlock', '3.22.0', '4.7.0'],
  ['6306ba3bf1f563b284bed52d305fce615c6664d9', 'write lock', '3.5.5', '4.7.0'],
  ['baa634f6184acc1b8f145e810a0e0e00967a3cbe', 'write unlock', '3.2.4', '3.21.3'],
  ['319a1cdf1b56c767a0a9adf2224250bf811f110c', 'write unlock', '3.22.0', '3.23.5'],
  ['d29c5559782035515d32e926762830b3304b49be', 'write unlock', '3.24.0', '3.43.0'],
  ['21f5fb0f8ddfa9be5c3e0c9757c128796add75c6', 'write unlock', '3.44.0', '4.7.0'],
  ['c7dc9d189c1715465a31a06ddbc008585e0c20be', 'sem acquire', '3.1.0', '4.7.0'],
  ['c3c3c87b52a880a2a73e312c1cc9d21f500d80f5', 'sem addPermits', '3.12.0', '3.16.1'],
  ['af883fdf25153ad9a41ad1c0d5dfde728728961a', 'sem addPermits', '3.16.2', '3.21.3'],
  ['98238d408c6755085344670d3a2ddaa55cf177a9', 'sem addPermits', '3.22.0', '4.7.0'],
  ['74e35a16120f0f07ddf9bccd2f3593b769a9fd11', 'sem drain', '3.1.0', '3.16.2'],
  ['c87766d572855e9461c4ecd453db5d1cbab6119e', 'sem drain', '3.16.3', '4.7.0'],
  ['44d63d4882cfdb9af87c32c96c24a9e1e15cffd5', 'sem or permit trySetPermits', '3.1.0', '3.18.0'],
  ['8d41a082c3a98f3e882844af9c9e9f9fbd7f8573', 'sem or permit trySetPermits', '3.16.3', '3.21.3'],
  ['241ce4e87e652b4f9b39d33cbcd7df9ee8ed906c', 'sem or permit trySetPermits', '3.22.0', '4.7.0'],
  ['6bb281549022225c6d8228b4af1e06c9d6610b90', 'sem reducePermits', '3.1.0', '3.11.6'],
  ['6ef996845b2b97db21c5bc1ed04b8eae2babe56f', 'sem release', '3.1.0', '3.21.3'],
  ['ae27582488dd01f4e238cc0733a12146d410eb44', 'sem release', '3.22.0', '4.7.0'],
  ['6883802454c09d455e3234c8b01549adf1fb8b4c', 'sem release-if-exists', '4.0.0', '4.7.0'],
  ['38bf99884eb94708a40a9aabacb15b4c5f16e804', 'sem trySetPermits+ttl', '3.29.0', '4.7.0'],
  ['1c2f23a6a6a0b73ec7e65363ebd0f04aa6118a05', 'permit acquire', '3.1.0', '3.11.6'],
  ['9dd7dc38c905805c04c8f14cb8aae2bd5dd529b0', 'permit acquire', '3.12.0', '3.21.3'],
  ['d47a2fd3852467e5e7f2d1618c92a1ca719fcf7a', 'permit acquire', '3.22.0', '3.23.3'],
  ['992c96b09a3d8ea0b37f5dc12e5347a44d93909d', 'permit acquire', '3.23.4', '4.7.0'],
  ['dd0e62727caf54b589ae8e4bf22c32ec5ec33250', 'permit acquired query', '3.19.1', '3.21.3'],
  ['6f0b0be79a0c146c778cb14f40c10eb5b706e574', 'permit acquired query', '3.22.0', '4.7.0'],
  ['575a088d37e6b44b707ce3103c04a03c2cd504bd', 'permit addPermits', '3.1.0', '3.21.3'],
  ['ec6fb1cd5f66817424e8fe70fee7929391b7c6f0', 'permit addPermits', '3.22.0', '4.7.0'],
  ['6aee5085c7e0b3ff5d8612116a9b5f2ceb1fdab2', 'permit available query', '3.3.0', '3.21.3'],
  ['26b3972b2c9e617556282f404cb79709d746a713', 'permit available query', '3.22.0', '4.7.0'],
  ['8be95cb5221cc7ee883cacb8859a8b32ef501a0e', 'permit getLeaseTime', '3.41.0', '4.7.0'],
  ['53d4f9a6b4a34a50743da9a0b2d689f55cd3ad07', 'permit release', '3.1.0', '3.16.8'],
  ['2eac39f9e36394f850326ea7cd240d6ebc715ae2', 'permit release', '3.17.0', '3.21.3'],
  ['4ce079451bee2993ce00c8a4e205b536c6ccad67', 'permit release', '3.22.0', '4.7.0'],
  ['bb41a8ec1cd921c89e9d8f2ddde38ad13a2e8b74', 'permit release (many)', '3.23.4', '3.40.2'],
  ['cf3ab77b1c0ae1226ae0e06e5cb18ee75f56c96b', 'permit release (many)', '3.41.0', '4.7.0'],
  ['f753b3fd2954a5f1ed4d8f95a9c41819ecc27f41', 'permit setPermits', '3.19.1', '3.21.3'],
  ['055e71dede7c0d07958c639e4661ab8bd36c4ab9', 'permit setPermits', '3.22.0', '3.23.3'],
  ['494d8561fee0cdb033f6c28d74c052c52189a578', 'permit setPermits', '3.23.4', '4.7.0'],
  ['795a15adb7654812d3711bed0f526f84076f8f4e', 'permit total query', '3.19.1', '3.21.3'],
  ['e242db5c1c68811b0d26a41937dcf22415b6d872', 'permit total query', '3.22.0', '4.7.0'],
  ['5100a65fefa9ca6c9ed0977c06c41c68e2e847e8', 'permit updateLeaseTime', '3.8.2', '3.21.3'],
  ['2298b02cc67a89f2a638e47503db3675c73d77f5', 'permit updateLeaseTime', '3.22.0', '4.7.0'],
  ['c103a1b27e5635c206edc800af5851a8c4cc8305', 'latch countDown', '3.1.0', '3.21.3'],
  ['38060fab26b0e7c5982a5cfd7ad542e44d3da19b', 'latch countDown', '3.22.0', '4.7.0'],
  ['23bcabf6e8e3267791df8ea2e9ed607944b28658', 'latch delete', '3.1.0', '3.21.3'],
  ['47aed1b8133417c9bc009ffc08602e37ed4a1bb3', 'latch delete', '3.22.0', '4.7.0'],
  ['956d64ccf21d1feed0339006db8295e2aa04a8d8', 'latch trySetCount', '3.1.0', '3.21.3'],
  ['2a52d54a6f35bc8af5e84a2930b2ca1aa2a15892', 'latch trySetCount', '3.22.0', '4.7.0'],
  ['9f004091f2597ace3c2e75f8b32c7adf985f412e', 'group force-unlock', '3.38.0', '4.7.0'],
  ['b9e070cb84c0ed3944b58dcb4ddf45af7adeb9c8', 'group isHeld query', '3.38.0', '4.7.0'],
  ['25ede9b3422ba7c8d75cc43d73a4d90331598aa0', 'group isLocked query', '3.38.0', '4.7.0'],
  ['eba4f75b2998ef1ead8e55019d89d93d85dadf60', 'group lock', '3.38.0', '4.7.0'],
  ['9cdf4e206c51f838a9e65cf6e84613f0de3559cf', 'group renew', '3.38.0', '3.43.0'],
  ['935362a31ac5b3d6f7c5c3f1e26d9a012f87f2bd', 'group renew', '3.44.0', '4.7.0'],
  ['6f6c8d62862d8d76ea41fc769938285c3aca3005', 'group try-once', '3.38.0', '4.7.0'],
  ['5088a04fb08aa002f465f0f90b35ed8da9b27a3c', 'group unlock', '3.38.0', '4.7.0'],
  ['3e87b23af056c9bbfa98cb959044b3cb917003b9', 'generic clear-expire', '3.13.4', '4.7.0'],
  ['3adcab8843f28538b47f67950913e2a88189dddd', 'generic expire (MultiLock lease fix-up)', '3.13.3', '3.16.8'],
  ['3fd750e0b43af99dbd223e5523718f18cded3664', 'generic expire (MultiLock lease fix-up)', '3.17.0', '4.7.0'],
  ['d404aba30301167784efa4539108cd4cc9b948c4', 'bounded-queue offer (not a lock)', '3.1.0', '4.7.0'],
];

/** Inclusive range of Redisson releases. */
export type VersionRange = {
  readonly first: number;
  readonly last: number;
  /** As text: `3.46.0–4.7.0`. */
  readonly text: string;
};
export type ScriptVersion = VersionRange & { readonly operation: string };

const bySha = new Map<string, ScriptVersion>(
  SCRIPTS.map(([sha, operation, first, last]) => [sha, { operation, ...rangeOf(first, last) }]),
);

function scriptVersionOf(sha: string): ScriptVersion | undefined {
  return bySha.get(sha);
}

const MOST_WORDS = 1000;
const byShaOrText = new Map<string, ScriptVersion | null>();

/** The Redisson script that a command calls, by its SHA or its text; undefined if no release ships it. */
export function scriptVersionFromHead(head: LineSignal): ScriptVersion | undefined {
  const word = head.words[1] ?? '';
  const known = byShaOrText.get(word);
  if (known !== undefined) return known ?? undefined;
  const version = scriptVersionOf(scriptShaOf(head));
  if (byShaOrText.size < MOST_WORDS && word.length < 60) byShaOrText.set(word, version ?? null);
  return version;
}

/** The versions in both ranges; only `evidence` if the ranges do not overlap. */
export function narrowed(known: VersionRange | undefined, evidence: VersionRange): VersionRange {
  if (!known) return evidence;
  if (known.first >= evidence.first && known.last <= evidence.last) return known;
  const [first, last] = [Math.max(known.first, evidence.first), Math.min(known.last, evidence.last)];
  return first <= last ? rangeOf(versionFrom(first), versionFrom(last)) : evidence;
}

/** The releases from `first` to `last`. */
export function rangeOf(first: string, last: string): VersionRange {
  return { first: rankOf(first), last: rankOf(last), text: first === last ? first : `${first}–${last}` };
}

/** A release as a number, for comparison. */
export function rankOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1000 + minor) * 1000 + patch;
}

function versionFrom(rank: number): string {
  return [Math.floor(rank / 1_000_000), Math.floor(rank / 1000) % 1000, rank % 1000].join('.');
}

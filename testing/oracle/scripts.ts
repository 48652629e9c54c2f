/**
 * What each script does, by the SHA1 of its text. Rows of Redisson end with the first and the last version that has the
 * script, rows of other libraries with the name of the library. The table was made from the sources of the libraries,
 * not from the product.
 */
const REDISSON = `
9401052d872adfd0179ef8c8e8c028512707629a lock 3.1.0 3.12.2
dad0f8d619e548e04f21fb48d50be5034df3adae lock 3.12.3 4.7.0
149c5a8bf18676fd99e9e6e24923bd64d9b62f94 lock 3.19.0 4.7.0
93cfc048f82624d1670a310aa0ad58918c0824a5 unlock 3.1.0 3.10.5
3ffe249c16dee540ac8ab32e39bd408626b9aff7 unlock 3.10.6 3.21.3
778cea8aada230ae060b432fc333adaec85f2f4c unlock 3.22.0 3.23.5
6866459238a13a701d42f4971f12d9f3a50e2442 unlock 3.24.0 4.7.0
7e9c80b3d786b95d5d4aaf8fd73adb9775fa6fb1 force-unlock 3.1.0 3.21.3
605e338249a7a1d40df83b04f7658354f883b41b force-unlock 3.22.0 4.7.0
8e19a1ddbdee9138df9f32a480c57addab4353d1 renew 3.1.0 3.43.0
6a3d31570dc6f4b0bd32bcdc8e75667747c6f635 renew 3.44.0 4.7.0
46b5551ba403d6152a7a6eca122e08728d6c8c66 fenced-lock 3.19.0 4.7.0
49babb5a1e6a0c5f188c2ae62b93b51cdfd63e45 fenced-lock 3.19.0 4.7.0
51b433c3cc9a6ca991b3aefec63d23490c246318 spin-force-unlock 3.15.0 4.7.0
5b9e58d1bcb8498e14aa1d5b49a1ca5b90748946 spin-unlock 3.15.0 3.23.5
73ac2729af29ea9a975f95e8097f7ee9a74cce3d spin-unlock 3.24.0 4.7.0
3daa7be6cf69d9309ad990442e83bf25094f9b22 lock 4.4.0 4.7.0
95cdf4b03f82c82edf987c7d216b4b67d861b14f fair-force-unlock 3.2.0 3.21.3
047c11d7fec40d0102fe9903ff1e19e9a1dec610 fair-force-unlock 3.22.0 3.30.0
71ed11d4e4818119ac560b3d670a7f08256afc46 fair-force-unlock 3.31.0 4.7.0
33148f0ca0bbc1fae2674efa67209dcb1f6c6431 fair-give-up 3.5.5 3.11.0
d1ddef65ad80886b5d36e023c99930044ddd653a fair-give-up 3.11.1 4.7.0
c10436d1a94338a33b5ca6ac6f483f6b92193d48 fair-lock 3.2.0 3.11.0
762bfafa6be221431a0b668685dd15c926483619 fair-lock 3.11.1 3.30.0
f453a73adbe05f097ff2810e5e0c0489a9350076 fair-lock 3.31.0 3.31.0
929defe0321e0a4c943b4244951d3a730b6eaabc fair-lock 3.32.0 3.44.0
8f6ed299ffd259f0539c20f89253998c0777ea75 fair-lock 3.45.0 4.7.0
46724422f148047badd768b1b1a3d750d86bded2 fair-lock 4.4.0 4.7.0
5bea9498faee85066db11f2f8bf80fccbf222eaf fair-try 4.4.0 4.7.0
706c2b7e93b133c46a7d8593a3a95d5ab55e6721 fair-try 3.2.0 3.11.0
aa0a28d2eb7cbeb50151315a58eb75302d8dfa40 fair-try 3.11.1 3.30.0
d20501c26a30adf6fb0fe9883bbbcc497e6157e2 fair-try 3.31.0 4.7.0
35d32367b21753c39b55dc64d1906fee627cc9a8 fair-unlock 3.3.2 3.21.3
14f85250fb2a386500bf8e4b25a8e95db140ff0c fair-unlock 3.22.0 3.23.5
ca303f8587d0942f8a0021f62338626ca4dd0118 fair-unlock 3.24.0 3.30.0
367f80bd2e300e411fb0936d9b601e5bcb3fd4b6 fair-unlock 3.31.0 4.7.0
23f9bc91439172625235ce2ee06d6647f08a7e27 read-force-unlock 3.3.2 3.21.3
27dbe744e95c1d854a7f556cc6817030de2d0d01 read-force-unlock 3.22.0 4.7.0
8ad44f1ba014938c20da38206b6d496c85ec1aed query 3.24.0 4.7.0
3e6597e1d1157c59ac0d6efa2ba7e92ef418c41e read-lock 3.5.5 3.11.0
95553a6ff11176c18e71344e89d116b06fd6f753 read-lock 3.11.1 4.7.0
1affef780a01e1406cb1968c62918f618d10d6a3 read-renew 3.44.0 3.52.0
d6564f42b98d6eece0e940a478ee248f80b8a90a read-renew 4.0.0 4.3.1
38d2b478dfbe264ab67c221b7e4be62245f00ba0 read-renew 4.4.0 4.7.0
6563941ff57e01b8cf61e86907b80686438a2f74 read-renew 3.8.1 3.43.0
f5469be4bfe5232d519471092634b3ee84e5ee6f read-unlock 3.5.5 3.21.3
92a54c31a4dc3b46f81e24a6dd5bb7d677c6f882 read-unlock 3.22.0 3.23.5
5947c0fee6ca25ae094ec1b3e7a2559a9273d29f read-unlock 3.24.0 3.43.0
6e1b10e11ac0a3ed8e902562ecd32ce01b553039 read-unlock 3.44.0 4.7.0
23639b0b2d18d26ce352e148ff4ac5b8e984b696 write-force-unlock 3.3.2 3.21.3
2e2cb2a3b13e2e80e4236ef6a25beaf365dba608 write-force-unlock 3.22.0 4.7.0
6306ba3bf1f563b284bed52d305fce615c6664d9 write-lock 3.5.5 4.7.0
baa634f6184acc1b8f145e810a0e0e00967a3cbe write-unlock 3.2.4 3.21.3
319a1cdf1b56c767a0a9adf2224250bf811f110c write-unlock 3.22.0 3.23.5
d29c5559782035515d32e926762830b3304b49be write-unlock 3.24.0 3.43.0
21f5fb0f8ddfa9be5c3e0c9757c128796add75c6 write-unlock 3.44.0 4.7.0
c7dc9d189c1715465a31a06ddbc008585e0c20be sem-acquire 3.1.0 4.7.0
c3c3c87b52a880a2a73e312c1cc9d21f500d80f5 sem-add 3.12.0 3.16.1
af883fdf25153ad9a41ad1c0d5dfde728728961a sem-add 3.16.2 3.21.3
98238d408c6755085344670d3a2ddaa55cf177a9 sem-add 3.22.0 4.7.0
74e35a16120f0f07ddf9bccd2f3593b769a9fd11 sem-drain 3.1.0 3.16.2
c87766d572855e9461c4ecd453db5d1cbab6119e sem-drain 3.16.3 4.7.0
44d63d4882cfdb9af87c32c96c24a9e1e15cffd5 sem-set 3.1.0 3.18.0
8d41a082c3a98f3e882844af9c9e9f9fbd7f8573 sem-set 3.16.3 3.21.3
241ce4e87e652b4f9b39d33cbcd7df9ee8ed906c sem-set 3.22.0 4.7.0
6bb281549022225c6d8228b4af1e06c9d6610b90 sem-add 3.1.0 3.11.6
6ef996845b2b97db21c5bc1ed04b8eae2babe56f sem-release 3.1.0 3.21.3
ae27582488dd01f4e238cc0733a12146d410eb44 sem-release 3.22.0 4.7.0
6883802454c09d455e3234c8b01549adf1fb8b4c sem-release 4.0.0 4.7.0
38bf99884eb94708a40a9aabacb15b4c5f16e804 sem-set 3.29.0 4.7.0
1c2f23a6a6a0b73ec7e65363ebd0f04aa6118a05 permit-acquire 3.1.0 3.11.6
9dd7dc38c905805c04c8f14cb8aae2bd5dd529b0 permit-acquire 3.12.0 3.21.3
d47a2fd3852467e5e7f2d1618c92a1ca719fcf7a permit-acquire 3.22.0 3.23.3
992c96b09a3d8ea0b37f5dc12e5347a44d93909d permit-acquire 3.23.4 4.7.0
dd0e62727caf54b589ae8e4bf22c32ec5ec33250 query 3.19.1 3.21.3
6f0b0be79a0c146c778cb14f40c10eb5b706e574 query 3.22.0 4.7.0
575a088d37e6b44b707ce3103c04a03c2cd504bd permit-add 3.1.0 3.21.3
ec6fb1cd5f66817424e8fe70fee7929391b7c6f0 permit-add 3.22.0 4.7.0
6aee5085c7e0b3ff5d8612116a9b5f2ceb1fdab2 query 3.3.0 3.21.3
26b3972b2c9e617556282f404cb79709d746a713 query 3.22.0 4.7.0
8be95cb5221cc7ee883cacb8859a8b32ef501a0e query 3.41.0 4.7.0
53d4f9a6b4a34a50743da9a0b2d689f55cd3ad07 permit-release 3.1.0 3.16.8
2eac39f9e36394f850326ea7cd240d6ebc715ae2 permit-release 3.17.0 3.21.3
4ce079451bee2993ce00c8a4e205b536c6ccad67 permit-release 3.22.0 4.7.0
bb41a8ec1cd921c89e9d8f2ddde38ad13a2e8b74 permit-release-many 3.23.4 3.40.2
cf3ab77b1c0ae1226ae0e06e5cb18ee75f56c96b permit-release-many 3.41.0 4.7.0
f753b3fd2954a5f1ed4d8f95a9c41819ecc27f41 permit-set 3.19.1 3.21.3
055e71dede7c0d07958c639e4661ab8bd36c4ab9 permit-set 3.22.0 3.23.3
494d8561fee0cdb033f6c28d74c052c52189a578 permit-set 3.23.4 4.7.0
795a15adb7654812d3711bed0f526f84076f8f4e query 3.19.1 3.21.3
e242db5c1c68811b0d26a41937dcf22415b6d872 query 3.22.0 4.7.0
5100a65fefa9ca6c9ed0977c06c41c68e2e847e8 permit-renew 3.8.2 3.21.3
2298b02cc67a89f2a638e47503db3675c73d77f5 permit-renew 3.22.0 4.7.0
c103a1b27e5635c206edc800af5851a8c4cc8305 latch-count 3.1.0 3.21.3
38060fab26b0e7c5982a5cfd7ad542e44d3da19b latch-count 3.22.0 4.7.0
23bcabf6e8e3267791df8ea2e9ed607944b28658 latch-delete 3.1.0 3.21.3
47aed1b8133417c9bc009ffc08602e37ed4a1bb3 latch-delete 3.22.0 4.7.0
956d64ccf21d1feed0339006db8295e2aa04a8d8 latch-set 3.1.0 3.21.3
2a52d54a6f35bc8af5e84a2930b2ca1aa2a15892 latch-set 3.22.0 4.7.0
9f004091f2597ace3c2e75f8b32c7adf985f412e group-force-unlock 3.38.0 4.7.0
b9e070cb84c0ed3944b58dcb4ddf45af7adeb9c8 query 3.38.0 4.7.0
25ede9b3422ba7c8d75cc43d73a4d90331598aa0 query 3.38.0 4.7.0
eba4f75b2998ef1ead8e55019d89d93d85dadf60 group-lock 3.38.0 4.7.0
9cdf4e206c51f838a9e65cf6e84613f0de3559cf group-renew 3.38.0 3.43.0
935362a31ac5b3d6f7c5c3f1e26d9a012f87f2bd group-renew 3.44.0 4.7.0
6f6c8d62862d8d76ea41fc769938285c3aca3005 group-try-once 3.38.0 4.7.0
5088a04fb08aa002f465f0f90b35ed8da9b27a3c group-unlock 3.38.0 4.7.0
3e87b23af056c9bbfa98cb959044b3cb917003b9 persist 3.13.4 4.7.0
3adcab8843f28538b47f67950913e2a88189dddd expire 3.13.3 3.16.8
3fd750e0b43af99dbd223e5523718f18cded3664 expire 3.17.0 4.7.0
d404aba30301167784efa4539108cd4cc9b948c4 query 3.1.0 4.7.0`;

const OTHERS = `
c3f8721cbb97f72bc19e972846bd7aaf91901658 token-release redis-py
a4e8783852e6b949f9ef3a97212805108459a890 token-extend redis-py
1cac51482acf5858da00f6d685d68f886cd6b6b2 token-extend redis-py
96da70f7716f27d278a5218544df37fd8b0a5e4c token-acquire redlock
aed6f382e410db8ba7926d4e5e9aab410bf2a78a token-extend redlock
e4612211c9f8f51c257e26e056b0a654b3187242 token-release redlock
e5a322e2634ef59a516e8ea150cb085afafee684 token-acquire redlock
ce46f80993d5dac20dd066eb301a4e37994bdbed token-extend redlock
0f0f23b9048b36752b5be114f357ba083449f908 token-release redlock
175897a4e379e99e79a54937be09226f76cdcfe5 token-acquire spring-integration
879e0f7b8d83c3266d4e996627438c05dbda0b89 token-extend spring-integration
f0f9038aa2b6d6c3436c72d147573ea2a58f0ef2 token-release spring-integration
7a71e9443a2a41539fb115a5a27d5a748a871aed token-release spring-integration
6d2bc6d16248df19e144841297222544e3c7800a token-acquire spring-integration
c1ae6c899d164de076f40ffe82eba8fb8e27af6c token-release spring-integration
194f3902b2dd08557818d09fc2e7682d91480e53 token-release shedlock
67256370c2d1c87e2250898075542b1a7fa5b917 token-extend shedlock
e950836ed1e694540c503ef9972b8de518044d3b token-release redsync
d75bb8b5bd13532ddedd17762e772346e39b321e token-extend redsync
b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79 token-extend redsync
eb0c00d98f6f33b4262419a509002884540f30be token-acquire redislock
5a22d7e8431313862816d4416b5e46dd70fc340d token-extend redislock
9470c810040e272ee6c579d8d4331aaf6332a7b1 token-release redislock
66e1084c2d842a7e8c271925aae90219fac4e129 token-query redislock
80a1b5f2cfccec3b7119ba7721d2127682b691a7 token-acquire redislock
a7aba3bc5d6e99b3003da8b9d80a63b9f4092ecf token-extend redislock
cf0e94b2e9ffc7e04395cf88f7583fc309985910 token-release redislock
6484da7d58920897fdc22b7f9afd1a3d47524ea8 token-query redislock
c75a9bf1538efcdb1f383acc3e273c5089d57e58 token-acquire aioredlock
241e4ca540a1cc4ec1f32d9eb9f879e607d7e6e5 token-release aioredlock
f908d3f43dbcabc68fc0c9ecaf1fa4a285ecdb0a token-query aioredlock
a4aada0b36710970eedaaaeec4a6b7d8c78c4f80 token-release pottery
ba015a80261b616e7a62d35df0b8e3edbe6c9414 token-extend pottery
f5f7bd3a3aa4a63c507c1155c5ea1219b350d992 token-query pottery
1b77b94aa78451d55dfa97e18819bfbfc596cb5b token-acquire sesamecare-redlock
820e9778d2b6733e9ed771e4be90ae73a95a6f3b token-extend sesamecare-redlock
df51f6837dcfe303d334e6abea9aeae192bab216 token-release sesamecare-redlock
90da91872223f85eb1376a17e3c4df21ace8c54b token-release python-redis-lock
fed16109024d968d9496e4140fe1355bac05ebff token-extend python-redis-lock
594683e49a64ebaf975caf5f8079a1d097c438f1 token-extend redis-semaphore
7157921a7cc7cfba979acf6d63f073151df17d12 token-release redis-semaphore
43ebdb49120d170e08af560cb4e46e36f8585936 set-acquire redis-semaphore
10c1c2e05e7c48aa5824d227b8c51abcde87b18e set-acquire redis-semaphore
999a49a1d07671a8027165641001f5bad44608b3 set-refresh redis-semaphore
2327bcdc5edb5b8687f6d19b5e1f42b815ebddab set-refresh redis-semaphore
0bd1010c98f1ddd70a6024fd374489a8ea3d2c12 set-release redis-semaphore
9037db23a553feabcd3e941495ac4969663510ae set-acquire effect-distributed-lock
798f1d516faeb26f4438a51a9ec7f6d6afdbe0fe set-refresh effect-distributed-lock
e40f8de9965bb11f3bace5f618ab67503ef0ecb1 set-release effect-distributed-lock
e218d686a8f90368e5cd45074f06ce766cad9987 token-extend redlock-universal
fd83166fb3d7235e3ace652b700c9e217c1adc1f token-release redlock-universal
59bc3e108ef7f99b02996a98489960c0edcc9945 token-release upstash
459cfa2e6c93bad7aa427b850f346bf836b2002d token-extend upstash
8346c71009ae4c895ff1757a6743ec825a38b42d token-release lock4j
86b4fe869d9cbdd1d98fbd1a558026fd419f7ce5 token-extend lock4j
c35baf769e5dc3d9194b2bceca04ab59f7c510f7 token-jobs bullmq
dc9605328a4cc37f68acbf27cdd42e393f7b762e token-jobs bullmq
6c4c6de2bece2ad87657691d945d902df2198f5e token-jobs bullmq
d96ca626f1ea141b44a856b312fc636d99aa9ea9 token-jobs bullmq
11d69c87800ed307165e6eeba9c2e94d9fb95fcd token-jobs bullmq
69666e69dd5621df59067a03de685e55a486560d token-jobs bullmq
9cafb5464f1264634c440ee2e365936bafa909b6 token-jobs bullmq
1e9bb7deb6219644a634d32c430ce15ed39a377e token-jobs bullmq
27ea40f2e4444b8c0f37ad29529e79e372dbbc82 token-jobs bullmq
5bf9083c794d9aca062606b3c5431e4050262cf1 token-jobs bullmq
6a65f96b064fa3b8de709567d25e9d87a8cdcea6 token-jobs bullmq
b621e0d9acfa2bcf07dc672825a8c669a44d3bae token-jobs bullmq
23996046b5a6e4968b864f843d2367f6ce8d1916 token-jobs bullmq
a4a736ae46aac1a806e0285ae7a256d67406dca9 token-jobs bullmq
5cc368fb92acd8fee3a986dc8e971d6cf28c3b44 token-release warlock
78d3bb55c589f1b2edf66f3527f5017f8dfcd6bb token-extend warlock
4e92fdc63815b3a0a2dd1c1df3694de73607c88d token-release redlock-py`;

/** Scripts of the demo clients. Their texts differ from those of Redisson. */
const DEMO = `
de4e0174ef8aa5b186d1941b6af51a8580c50aaa lock
70a61183b8f3ee7dea6f4c0d904c31c35fee3042 unlock
e0a814ae530068304eb3aac9bbf339cb78921ff2 force-unlock
ab1843ae12f54cd350281f538088faaae07a0203 renew
0991cfb673680ed87181ccd87b1d78756fd6f9f9 fenced-lock
84b911e4e84db504709bf34a318744f6bebfcaec spin-unlock
f1b7aadfc3b2f0355817fbb414b05aa99dbe9111 fair-lock
7357bb9f4c98427b11c5cbf93c47d59a32b13bc0 fair-try
78accf13c758b704623e34dc94aa67989730dc9d fair-unlock
efc4119bbd0a9051474eec173c36db1779449ff0 fair-give-up
c90c50be7c86b94c764897a1368837ca7031d33c read-lock
2e4e1fda80e206c47479a8578f490a92487b9e0f read-unlock
aa96d68fd8b10b26f2bd3fb206867ffb0b32e8ba read-renew
20f79934b377fc9cd4b5f9f919c3d2392e06501f write-lock
3694e21b3a536a7dc989e37c0ca99349df03b3e1 write-unlock
fc1ebc6e3f76351c0a383be174197358d89d8885 sem-set
19075aa7a14acc01f47c414c75156e207e01feeb sem-acquire
f581eba34424d995af186f42a49f1d16fb10e30a sem-release
cee4a352022d68333c091d6b88159946f9ba51d2 permit-acquire
3826a8f6ab45405c2d3b651b0d1d8dabdb14ce64 permit-release
ba3a048884289ddbf902901b468ff5aceb984ebf latch-set
a99f1efbeaff709b0f5dbddec80ac689ccecc2f8 latch-count`;

/** One script: its operation, and the versions of Redisson, or of the other library, that contain it. */
export type Script = { readonly operation: string; readonly releases?: Releases; readonly library?: string };

/** The first and the last version of a range. */
export type Releases = readonly [first: string, last: string];

const SCRIPTS: ReadonlyMap<string, Script> = new Map([
  ...rows(REDISSON).map(([sha = '', operation = '', first = '', last = '']): [string, Script] => [
    sha,
    { operation, releases: [first, last] },
  ]),
  ...rows(OTHERS).map(([sha = '', operation = '', library = '']): [string, Script] => [sha, { operation, library }]),
  ...rows(DEMO).map(([sha = '', operation = '']): [string, Script] => [sha, { operation }]),
]);

function rows(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split(' '));
}

/** Returns the script with a hash, or `undefined` if no table has such a row. */
export type ScriptOf = (sha: string) => Script | undefined;

/** Looks a script up in the tables above. */
export const scriptOf: ScriptOf = (sha) => SCRIPTS.get(sha);

/** Compares two versions: negative if `a` is older than `b`. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => release.split('.').map(Number));
  const part = [0, 1, 2].find((n) => left?.[n] !== right?.[n]) ?? 0;
  return (left?.[part] ?? 0) - (right?.[part] ?? 0);
}

/** The versions that are in both ranges. */
export function inBoth(a: Releases | undefined, b: Releases): Releases {
  if (!a) return b;
  return [compareReleases(a[0], b[0]) > 0 ? a[0] : b[0], compareReleases(a[1], b[1]) < 0 ? a[1] : b[1]];
}

package lockscope.interop;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/**
 * Finds the object with a kind and a name. Methods that all versions have are called directly, the others by
 * reflection, so that one source compiles against every version.
 *
 * <pre>
 *   lock orders:42       the lock with that name
 *   multi a,b,c          three locks together; red a,a,a: each on another server
 *   group shop/a,b       the values a and b of the group shop
 *   entry.lock shop/a    the lock of the entry a of the map shop
 * </pre>
 */
final class Finder {
    private static final String ENTRY = "entry.";
    private static final Map<String, String> NEWER_LOCKS = Map.of(
            "fenced", "getFencedLock",
            "spin", "getSpinLock",
            "nonreentrant", "getNonReentrantLock",
            "nonreentrant-fair", "getNonReentrantFairLock");
    private static final Map<String, String> OF_ENTRIES = Map.of(
            "lock", "getLock",
            "fair", "getFairLock",
            "read", "getReadWriteLock",
            "write", "getReadWriteLock",
            "sem", "getSemaphore",
            "psem", "getPermitExpirableSemaphore",
            "latch", "getCountDownLatch");

    private final List<RedissonClient> servers;
    private final RedissonClient redisson;

    Finder(List<RedissonClient> servers) {
        this.servers = servers;
        this.redisson = servers.get(0);
    }

    static boolean isEntry(String kind) {
        return kind.startsWith(ENTRY);
    }

    /** The kind of an object that belongs to an entry of a map. */
    static String kindOfEntry(String kind) {
        return kind.substring(ENTRY.length());
    }

    /** Throws {@link MissingKind} if this version does not have that kind. */
    Object find(String kind, String name) {
        if (isEntry(kind)) {
            String[] parts = name.split("/", 2);
            String plain = kindOfEntry(kind);
            return sideOf(plain, newer(redisson.getMap(parts[0]), OF_ENTRIES.get(plain), parts[1]));
        }
        return switch (kind) {
            case "lock" -> redisson.getLock(name);
            case "fair" -> redisson.getFairLock(name);
            case "read", "write" -> sideOf(kind, redisson.getReadWriteLock(name));
            case "sem" -> redisson.getSemaphore(name);
            case "psem" -> redisson.getPermitExpirableSemaphore(name);
            case "latch" -> redisson.getCountDownLatch(name);
            case "multi" -> new RedissonMultiLock(members(name, servers.subList(0, 1)));
            case "red" -> new RedissonRedLock(members(name, servers));
            case "group" -> {
                String[] parts = name.split("/", 2);
                yield newer(redisson, "getMultiLock", parts[0], List.of((Object[]) parts[1].split(",")));
            }
            default -> {
                if (!NEWER_LOCKS.containsKey(kind)) {
                    throw new IllegalArgumentException("no such kind: " + kind);
                }
                yield newer(redisson, NEWER_LOCKS.get(kind), name);
            }
        };
    }

    /** Several locks, in order, each on the next of the servers. */
    private static RLock[] members(String names, List<RedissonClient> on) {
        List<String> all = Arrays.asList(names.split(","));
        return IntStream.range(0, all.size())
                .mapToObj(index -> on.get(index % on.size()).getLock(all.get(index)))
                .toArray(RLock[]::new);
    }

    private static Object sideOf(String kind, Object found) {
        return switch (kind) {
            case "read" -> ((RReadWriteLock) found).readLock();
            case "write" -> ((RReadWriteLock) found).writeLock();
            default -> found;
        };
    }

    private static Object newer(Object target, String getter, Object... arguments) {
        try {
            return Reflection.call(target, getter, arguments);
        } catch (ReflectiveOperationException missing) {
            throw new MissingKind(getter, missing);
        }
    }
}

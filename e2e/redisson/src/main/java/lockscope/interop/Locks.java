package lockscope.interop;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Operations on the locks of one client. What all versions share is called directly; what some lack, or type
 * differently, by reflection, so that one source compiles against every release.
 */
final class Locks {
    private static final Map<String, String> YOUNGER_KINDS = Map.of("fenced", "getFencedLock", "spin", "getSpinLock");

    private final RedissonClient redisson;
    private final Map<String, RLock> known = new ConcurrentHashMap<>();

    Locks(RedissonClient redisson) {
        this.redisson = redisson;
    }

    /** The client's uuid, which its holder ids begin with; {@code ?} where this version keeps it to itself. */
    String clientId() {
        try {
            return String.valueOf(Reflection.call(redisson, "getId"));
        } catch (ReflectiveOperationException older) {
            return clientIdOfLock();
        }
    }

    /** Before 3.16 only a lock knows the uuid: its holder id of thread 0 is {@code uuid:0}. */
    private String clientIdOfLock() {
        try {
            Object holder = Reflection.call(redisson.getLock("anything"), "getLockName", 0L);
            return String.valueOf(holder).replaceFirst(":0$", "");
        } catch (ReflectiveOperationException unknown) {
            return "?";
        }
    }

    Object perform(Call call) throws Throwable {
        RLock lock = known.computeIfAbsent(call.kind() + " " + call.name(), key -> find(call.kind(), call.name()));
        List<Long> times = call.arguments();
        return switch (call.operation()) {
            case "lock" -> {
                if (times.isEmpty()) {
                    lock.lock();
                } else {
                    lock.lock(times.get(0), TimeUnit.MILLISECONDS);
                }
                yield "ok";
            }
            case "try" -> switch (times.size()) {
                case 0 -> lock.tryLock();
                case 1 -> lock.tryLock(times.get(0), TimeUnit.MILLISECONDS);
                default -> lock.tryLock(times.get(0), times.get(1), TimeUnit.MILLISECONDS);
            };
            case "unlock" -> {
                lock.unlock();
                yield "ok";
            }
            case "force" -> call(lock, "forceUnlock");
            case "count" -> lock.getHoldCount();
            case "locked" -> lock.isLocked();
            case "mine" -> lock.isHeldByCurrentThread();
            default -> throw new IllegalArgumentException("no such operation: " + call.operation());
        };
    }

    private RLock find(String kind, String name) {
        return switch (kind) {
            case "lock" -> redisson.getLock(name);
            case "fair" -> redisson.getFairLock(name);
            case "read" -> redisson.getReadWriteLock(name).readLock();
            case "write" -> redisson.getReadWriteLock(name).writeLock();
            case "fenced", "spin" -> younger(YOUNGER_KINDS.get(kind), name);
            default -> throw new IllegalArgumentException("no such kind of lock: " + kind);
        };
    }

    private RLock younger(String getter, String name) {
        try {
            return (RLock) Reflection.call(redisson, getter, name);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalArgumentException("this version has no " + getter, missing);
        }
    }

    private static Object call(Object target, String method) throws Throwable {
        try {
            return Reflection.call(target, method);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}

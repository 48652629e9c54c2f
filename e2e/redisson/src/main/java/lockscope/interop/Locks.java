package lockscope.interop;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Operations on locks that a thread holds. Every kind is an RLock except the oldest multi locks, so methods that Java's
 * own Lock does not have are called by reflection.
 */
final class Locks {
    private Locks() {}

    static Object perform(Lock lock, Call call) throws Throwable {
        List<Long> times = call.arguments();
        return switch (call.operation()) {
            case "lock" -> {
                if (times.isEmpty()) {
                    lock.lock();
                } else {
                    call(lock, "lock", times.get(0), TimeUnit.MILLISECONDS);
                }
                yield "ok";
            }
            case "try" -> switch (times.size()) {
                case 0 -> lock.tryLock();
                case 1 -> lock.tryLock(times.get(0), TimeUnit.MILLISECONDS);
                default -> call(lock, "tryLock", times.get(0), times.get(1), TimeUnit.MILLISECONDS);
            };
            case "unlock" -> {
                lock.unlock();
                yield "ok";
            }
            case "force" -> call(lock, "forceUnlock");
            case "token" -> call(lock, "getToken");
            case "count" -> call(lock, "getHoldCount");
            case "locked" -> call(lock, "isLocked");
            case "mine" -> call(lock, "isHeldByCurrentThread");
            default -> throw new IllegalArgumentException("no such operation: " + call.operation());
        };
    }

    private static Object call(Object target, String method, Object... arguments) throws Throwable {
        try {
            return Reflection.call(target, method, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}

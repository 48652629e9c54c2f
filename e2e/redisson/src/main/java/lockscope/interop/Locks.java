package lockscope.interop;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;

/** Operations on whatever is held by a thread: every kind of RLock. */
final class Locks {
    private Locks() {}

    static Object perform(RLock lock, Call call) throws Throwable {
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
            case "token" -> call(lock, "getToken");
            case "count" -> lock.getHoldCount();
            case "locked" -> lock.isLocked();
            case "mine" -> lock.isHeldByCurrentThread();
            default -> throw new IllegalArgumentException("no such operation: " + call.operation());
        };
    }

    private static Object call(Object target, String method) throws Throwable {
        try {
            return Reflection.call(target, method);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}

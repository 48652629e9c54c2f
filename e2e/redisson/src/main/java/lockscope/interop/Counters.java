package lockscope.interop;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/** Operations on semaphores, expirable semaphores and latches. */
final class Counters {
    /** Permits that a thread has acquired and not released, oldest first. */
    private final Map<String, Deque<String>> permits = new ConcurrentHashMap<>();

    Object perform(Object counter, Call call) throws InterruptedException {
        if (counter instanceof RSemaphore semaphore) {
            return onSemaphore(semaphore, call);
        }
        if (counter instanceof RPermitExpirableSemaphore semaphore) {
            return onExpirable(semaphore, call);
        }
        return onLatch((RCountDownLatch) counter, call);
    }

    private static Object onSemaphore(RSemaphore semaphore, Call call) throws InterruptedException {
        int permits = call.arguments().isEmpty() ? 1 : call.arguments().get(0).intValue();
        return switch (call.operation()) {
            case "set" -> semaphore.trySetPermits(permits);
            case "acquire" -> {
                semaphore.acquire(permits);
                yield "ok";
            }
            case "try" -> call.arguments().size() < 2
                    ? semaphore.tryAcquire(permits)
                    : semaphore.tryAcquire(permits, call.arguments().get(1), TimeUnit.MILLISECONDS);
            case "release" -> {
                semaphore.release(permits);
                yield "ok";
            }
            case "drain" -> semaphore.drainPermits();
            case "available" -> semaphore.availablePermits();
            default -> throw unknown(call);
        };
    }

    private Object onExpirable(RPermitExpirableSemaphore semaphore, Call call) throws InterruptedException {
        List<Long> times = call.arguments();
        Deque<String> own =
                permits.computeIfAbsent(call.letter() + " " + call.name(), key -> new ConcurrentLinkedDeque<>());
        return switch (call.operation()) {
            case "set" -> semaphore.trySetPermits(times.get(0).intValue());
            case "acquire" -> kept(
                    own,
                    times.isEmpty() ? semaphore.acquire() : semaphore.acquire(times.get(0), TimeUnit.MILLISECONDS));
            case "try" -> kept(own, switch (times.size()) {
                case 0 -> semaphore.tryAcquire();
                case 1 -> semaphore.tryAcquire(times.get(0), TimeUnit.MILLISECONDS);
                default -> semaphore.tryAcquire(times.get(0), times.get(1), TimeUnit.MILLISECONDS);
            });
            case "release" -> {
                String permit = own.removeFirst();
                semaphore.release(permit);
                yield permit;
            }
            case "available" -> semaphore.availablePermits();
            default -> throw unknown(call);
        };
    }

    private static Object onLatch(RCountDownLatch latch, Call call) throws InterruptedException {
        return switch (call.operation()) {
            case "set" -> latch.trySetCount(call.arguments().get(0));
            case "down" -> {
                latch.countDown();
                yield "ok";
            }
            case "await" -> {
                if (call.arguments().isEmpty()) {
                    latch.await();
                    yield "ok";
                }
                yield latch.await(call.arguments().get(0), TimeUnit.MILLISECONDS);
            }
            default -> throw unknown(call);
        };
    }

    private static String kept(Deque<String> own, String permit) {
        if (permit != null) {
            own.addLast(permit);
        }
        return permit;
    }

    private static IllegalArgumentException unknown(Call call) {
        return new IllegalArgumentException("no such operation: " + call.operation());
    }
}

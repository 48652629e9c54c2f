import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A client whose threads are stuck in several ways that a thread dump shows. Its argument is the URL of a Redis.
 *
 *   orders-1  holds orders:42, waits for a monitor that orders-2 has       a deadlock across Redis and the JVM
 *   orders-2  has that monitor, waits for orders:42
 *   stock-1   locked stock:7 and has ended
 *   parked-1  waits for a ReentrantLock that parked-2 has
 *   parked-2  has that ReentrantLock and sleeps
 *   waiting-1 is in Object.wait()
 *
 * Writes `ready` and the ids of orders-1, orders-2 and stock-1. After each byte of input, writes the threads as Spring
 * Boot's actuator lists them.
 */
public final class DumpedClient {
    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.useSingleServer().setAddress(args[0]).setConnectionMinimumIdleSize(2).setConnectionPoolSize(4);
        RedissonClient redisson = Redisson.create(config);
        RLock orders = redisson.getLock("orders:42");
        RLock stock = redisson.getLock("stock:7");
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch isEntered = new CountDownLatch(1);

        Thread one = start("orders-1", () -> {
            orders.lock();
            isHeld.countDown();
            isEntered.await();
            synchronized (MONITOR) {
                orders.unlock();
            }
        });
        Thread two = start("orders-2", () -> {
            isHeld.await();
            synchronized (MONITOR) {
                isEntered.countDown();
                orders.lock();
                orders.unlock();
            }
        });
        Thread ended = start("stock-1", stock::lock);
        ended.join();
        CountDownLatch isLocked = new CountDownLatch(1);
        start("parked-2", () -> {
            LOCK.lock();
            isLocked.countDown();
            Thread.sleep(3_600_000);
        });
        isLocked.await();
        start("parked-1", LOCK::lock);
        start("waiting-1", () -> {
            Object own = new Object();
            synchronized (own) {
                own.wait();
            }
        });
        while (two.getState() != Thread.State.WAITING && two.getState() != Thread.State.TIMED_WAITING) Thread.sleep(10);
        while (one.getState() != Thread.State.BLOCKED) Thread.sleep(10);
        System.out.println("ready " + one.getId() + " " + two.getId() + " " + ended.getId());
        while (System.in.read() >= 0) {
            System.out.println(actuator());
        }
        System.exit(0);
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The fields of ThreadInfo that the actuator writes and that matter here, in its order. */
    private static String actuator() {
        StringBuilder json = new StringBuilder("{\"threads\":[");
        ThreadInfo[] threads = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        for (int n = 0; n < threads.length; n++) {
            ThreadInfo info = threads[n];
            json.append(n == 0 ? "" : ",").append("{\"threadName\":\"").append(info.getThreadName());
            json.append("\",\"threadId\":").append(info.getThreadId()).append(",\"lockInfo\":");
            if (info.getLockInfo() == null) json.append("null");
            else json.append("{\"className\":\"").append(info.getLockInfo().getClassName())
                .append("\",\"identityHashCode\":").append(info.getLockInfo().getIdentityHashCode()).append('}');
            json.append(",\"lockOwnerId\":").append(info.getLockOwnerId());
            json.append(",\"threadState\":\"").append(info.getThreadState()).append("\",\"stackTrace\":[");
            StackTraceElement[] stack = info.getStackTrace();
            for (int k = 0; k < stack.length; k++) {
                StackTraceElement call = stack[k];
                json.append(k == 0 ? "" : ",").append("{\"className\":\"").append(call.getClassName())
                    .append("\",\"methodName\":\"").append(call.getMethodName()).append("\",\"fileName\":");
                json.append(call.getFileName() == null ? "null" : '"' + call.getFileName() + '"');
                json.append(",\"lineNumber\":").append(call.getLineNumber())
                    .append(",\"nativeMethod\":").append(call.isNativeMethod()).append('}');
            }
            json.append("]}");
        }
        return json.append("]}").toString();
    }
}

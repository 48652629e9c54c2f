package lockscope.other.withshedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import lockscope.other.Call;
import lockscope.other.Locks;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** ShedLock's locks. ShedLock never waits; a caller that needs the lock retries. */
final class ShedLocks implements Locks {
    private static final long ASKS_EVERY_MS = 100;
    private final LockProvider provider;
    private final StringRedisTemplate template;
    private final Map<String, SimpleLock> taken = new ConcurrentHashMap<>();

    ShedLocks(RedisConnectionFactory connections, boolean isSafe) {
        provider = new RedisLockProvider.Builder(connections)
                .environment("default")
                .safeUpdate(isSafe)
                .build();
        template = new StringRedisTemplate(connections);
    }

    @Override
    public String perform(Call call) throws Exception {
        switch (call.operation()) {
            case "lock":
                while (!take(call)) {
                    Thread.sleep(ASKS_EVERY_MS);
                }
                return "ok";
            case "try":
                return take(call) ? "ok" : "false";
            case "extend":
                Optional<SimpleLock> longer =
                        taken.get(call.place()).extend(Duration.ofMillis(call.numbers()[0]), Duration.ZERO);
                longer.ifPresent(lock -> taken.put(call.place(), lock));
                return longer.isPresent() ? "ok" : "false";
            case "unlock":
                taken.get(call.place()).unlock();
                return "ok";
            case "owner":
                return template.opsForValue().get("job-lock:default:" + call.name());
            default:
                throw new IllegalArgumentException("no such operation: " + call.operation());
        }
    }

    private boolean take(Call call) {
        Duration atMost = Duration.ofMillis(call.numbers()[0]);
        Optional<SimpleLock> lock =
                provider.lock(new LockConfiguration(Instant.now(), call.name(), atMost, Duration.ZERO));
        lock.ifPresent(found -> taken.put(call.place(), found));
        return lock.isPresent();
    }
}

package lockscope.other.withshedlock;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import lockscope.other.Call;
import lockscope.other.Locks;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j's locks. A lease of {@code -1} is renewed by the library. */
final class Lock4jLocks implements Locks {
    private static final long PATIENCE_MS = 60_000;
    private final LockTemplate template = new LockTemplate();
    private final Map<String, LockInfo> taken = new ConcurrentHashMap<>();

    Lock4jLocks(RedisConnectionFactory connections) throws Exception {
        Lock4jProperties properties = new Lock4jProperties();
        properties.setExpire(3000L);
        template.setProperties(properties);
        template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(connections), properties)));
        template.afterPropertiesSet();
    }

    @Override
    public String perform(Call call) throws InterruptedException {
        String key = "lock4j:" + call.name();
        switch (call.operation()) {
            case "lock":
            case "try":
                long patience = call.operation().equals("lock") ? PATIENCE_MS : 0;
                LockInfo lock = template.lock(key, call.numbers()[0], patience);
                if (lock != null) {
                    taken.put(call.place(), lock);
                }
                return lock != null ? "ok" : "false";
            case "unlock":
                return String.valueOf(template.releaseLock(taken.get(call.place())));
            case "auto": // the actor holds the lock for a while, and the library renews it
                LockInfo renewed = template.lock(key, -1, PATIENCE_MS);
                Thread.sleep(call.numbers()[1]);
                return String.valueOf(template.releaseLock(renewed));
            case "owner":
                return taken.get(call.place()).getLockValue();
            default:
                throw new IllegalArgumentException("no such operation: " + call.operation());
        }
    }
}

package lockscope.other;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Locks of Spring Integration's registry, of one type. There is one registry for each lease time. */
public final class RegistryLocks implements Locks {
    private final RedisConnectionFactory connections;
    private final RedisLockRegistry.RedisLockType type;
    private final String registryKey;
    private final Map<Long, RedisLockRegistry> registries = new ConcurrentHashMap<>();
    /** The registry in which each actor last tried to acquire each lock, by {@link Call#place}. */
    private final Map<String, RedisLockRegistry> taken = new ConcurrentHashMap<>();

    public RegistryLocks(RedisConnectionFactory connections, RedisLockRegistry.RedisLockType type, String registryKey) {
        this.connections = connections;
        this.type = type;
        this.registryKey = registryKey;
    }

    @Override
    public String perform(Call call) throws Exception {
        String name = call.name();
        switch (call.operation()) {
            case "lock":
                registryOf(call).obtain(name).lock();
                return "ok";
            case "try":
                return registryOf(call).obtain(name).tryLock() ? "ok" : "false";
            case "extend":
                renew(taken.get(call.place()), name);
                return "ok";
            case "unlock":
                Lock lock = taken.get(call.place()).obtain(name);
                lock.unlock();
                return "ok";
            case "owner":
                return new StringRedisTemplate(connections).opsForValue().get(registryKey + ":" + name);
            default:
                throw new IllegalArgumentException("no such operation: " + call.operation());
        }
    }

    private RedisLockRegistry registryOf(Call call) {
        RedisLockRegistry registry = registries.computeIfAbsent(call.numbers()[0], leaseMs -> {
            RedisLockRegistry made = new RedisLockRegistry(connections, registryKey, leaseMs);
            made.setRedisLockType(type);
            return made;
        });
        taken.put(call.place(), registry);
        return registry;
    }

    /** Registries before 6 cannot renew. */
    private static void renew(RedisLockRegistry registry, String name) throws Exception {
        try {
            RedisLockRegistry.class.getMethod("renewLock", Object.class).invoke(registry, name);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw thrown;
        }
    }
}

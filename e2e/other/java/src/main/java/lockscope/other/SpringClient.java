package lockscope.other;

import java.util.HashMap;
import java.util.Map;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** A client with both types of Spring Integration's lock registry. Started with {@code PORT NAME}. */
public final class SpringClient {
    private SpringClient() {}

    public static void main(String[] arguments) throws Exception {
        new Driven(arguments[1], registries(Connections.open(arguments))).run("spring-integration-redis");
    }

    public static Map<String, Locks> registries(RedisConnectionFactory connections) {
        Map<String, Locks> kinds = new HashMap<>();
        kinds.put("spin", new RegistryLocks(connections, RedisLockRegistry.RedisLockType.SPIN_LOCK, "spin-locks"));
        kinds.put(
                "pubsub", new RegistryLocks(connections, RedisLockRegistry.RedisLockType.PUB_SUB_LOCK, "pubsub-locks"));
        return kinds;
    }
}

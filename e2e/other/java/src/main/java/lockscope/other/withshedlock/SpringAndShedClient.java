package lockscope.other.withshedlock;

import java.util.Map;
import lockscope.other.Connections;
import lockscope.other.Driven;
import lockscope.other.Locks;
import lockscope.other.SpringClient;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** A client with Spring Integration's registries, ShedLock and lock4j, which need the same Spring. Started with {@code PORT NAME}. */
public final class SpringAndShedClient {
    private SpringAndShedClient() {}

    public static void main(String[] arguments) throws Exception {
        RedisConnectionFactory connections = Connections.open(arguments);
        Map<String, Locks> kinds = SpringClient.registries(connections);
        kinds.put("shedlock", new ShedLocks(connections, false));
        kinds.put("safe", new ShedLocks(connections, true));
        kinds.put("lock4j", new Lock4jLocks(connections));
        new Driven(arguments[1], kinds).run("spring-integration-redis-and-shedlock");
    }
}

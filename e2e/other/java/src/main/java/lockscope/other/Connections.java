package lockscope.other;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections to the server that the command line names: {@code 6379 app1}. */
public final class Connections {
    private Connections() {}

    public static LettuceConnectionFactory open(String[] arguments) {
        RedisStandaloneConfiguration server =
                new RedisStandaloneConfiguration("127.0.0.1", Integer.parseInt(arguments[0]));
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                server, LettuceClientConfiguration.builder().clientName(arguments[1]).build());
        factory.afterPropertiesSet();
        start(factory);
        factory.getConnection().ping();
        return factory;
    }

    /** Newer factories must be started; older ones have no method for it. */
    private static void start(LettuceConnectionFactory factory) {
        try {
            LettuceConnectionFactory.class.getMethod("start").invoke(factory);
        } catch (NoSuchMethodException old) {
            // an older factory is ready already
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }
}

package com.example.orders;

import java.util.Optional;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A Redis, and a Lockscope that watches it: those of REDIS_URL and LOCKSCOPE_URL (and LOCKSCOPE_TOKEN), in the
 * environment or as system properties. If neither is set, two containers, which end with the JVM. They need Docker and the
 * image `lockscope`: `docker build -t lockscope .` in a checkout of Lockscope.
 */
final class TestServers {
  private TestServers() {}

  static String redisUrl() {
    return given("REDIS_URL").orElseGet(() -> address("redis", Containers.REDIS, 6379));
  }

  static String lockscopeUrl() {
    return given("LOCKSCOPE_URL").orElseGet(() -> address("http", Containers.LOCKSCOPE, 4680));
  }

  static String lockscopeToken() {
    return areGiven() ? setting("LOCKSCOPE_TOKEN").orElse("") : Containers.TOKEN;
  }

  private static Optional<String> given(String name) {
    return areGiven() ? setting(name) : Optional.empty();
  }

  private static boolean areGiven() {
    boolean isOne = setting("REDIS_URL").isPresent();
    if (isOne != setting("LOCKSCOPE_URL").isPresent()) {
      throw new IllegalStateException("Set both REDIS_URL and LOCKSCOPE_URL, or neither to start containers.");
    }
    return isOne;
  }

  private static Optional<String> setting(String name) {
    return Optional.ofNullable(System.getProperty(name, System.getenv(name))).filter(text -> !text.isBlank());
  }

  private static String address(String scheme, GenericContainer<?> container, int port) {
    return scheme + "://" + container.getHost() + ":" + container.getMappedPort(port);
  }

  /** Started at its first use. */
  private static final class Containers {
    static final String TOKEN = UUID.randomUUID().toString();
    static final Network NETWORK = Network.newNetwork();

    static final GenericContainer<?> REDIS =
        new GenericContainer<>(DockerImageName.parse("redis:8.0"))
            .withNetwork(NETWORK)
            .withNetworkAliases("redis")
            .withExposedPorts(6379);

    static final GenericContainer<?> LOCKSCOPE =
        new GenericContainer<>(DockerImageName.parse(setting("LOCKSCOPE_IMAGE").orElse("lockscope")))
            .withNetwork(NETWORK)
            .withEnv("LOCKSCOPE_TOKEN", TOKEN)
            .withCommand("redis://redis:6379", "--observe", "monitor")
            .withExposedPorts(4680)
            .waitingFor(Wait.forHttp("/api/health").withHeader("Authorization", "Bearer " + TOKEN))
            .dependsOn(REDIS);

    static {
      LOCKSCOPE.start(); // and REDIS before it
    }
  }
}

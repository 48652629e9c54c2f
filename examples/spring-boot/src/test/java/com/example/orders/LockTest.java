package com.example.orders;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test of the application with a real Redis, which fails if it leaves a lock behind. */
@SpringBootTest
abstract class LockTest {
  @RegisterExtension
  static final NoLocksLeftBehind NO_LOCKS_LEFT_BEHIND =
      new NoLocksLeftBehind(TestServers.lockscopeUrl(), TestServers.lockscopeToken());

  @DynamicPropertySource
  static void servers(DynamicPropertyRegistry registry) {
    registry.add("redis.url", TestServers::redisUrl);
  }
}

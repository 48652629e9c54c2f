package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.annotation.Autowired;

class ReservationsTest extends LockTest {
  @Autowired Reservations reservations;
  @Autowired RedissonClient redisson;

  @Test
  void reservesUntilTooFewAreLeft() {
    reservations.stockOf("tea").set(3);
    assertThat(reservations.reserve("tea", 2)).isTrue();
    assertThat(reservations.reserve("tea", 2)).isFalse();
    assertThat(reservations.stockOf("tea").get()).isEqualTo(1);
  }

  @Test
  void releasesTheLockAfterAnError() {
    assertThatThrownBy(() -> reservations.reserve("tea", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** If Lockscope watched another Redis than the application uses, no test could fail. */
  @Test
  void lockscopeWatchesTheRedisOfThisTest() throws InterruptedException {
    RLock lock = redisson.getLock("stock:seen-by-lockscope");
    lock.lock();
    try {
      assertThat(NO_LOCKS_LEFT_BEHIND.holds()).anySatisfy(hold -> {
        assertThat(hold.lock()).isEqualTo("stock:seen-by-lockscope");
        assertThat(hold.holder()).isEqualTo(redisson.getId() + ":" + Thread.currentThread().getId());
      });
    } finally {
      lock.unlock();
    }
  }
}

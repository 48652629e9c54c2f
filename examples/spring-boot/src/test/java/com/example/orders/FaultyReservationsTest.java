package com.example.orders;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** This test fails, to show how. Its assertions hold, only the lock is left behind: mvn test -DexcludedGroups= */
@Tag("faulty")
class FaultyReservationsTest extends LockTest {
  @Autowired Reservations reservations;

  @Test
  void leavesTheLockBehindAfterAnError() {
    assertThatThrownBy(() -> reservations.reserveWithBug("coffee", 0)).isInstanceOf(IllegalArgumentException.class);
  }
}

package com.example.orders;

import org.redisson.api.RAtomicLong;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.stereotype.Service;

/** Reserves articles of the stock. One lock per article, so that two orders cannot get the same piece. */
@Service
public class Reservations {
  private final RedissonClient redisson;

  public Reservations(RedissonClient redisson) {
    this.redisson = redisson;
  }

  public RAtomicLong stockOf(String article) {
    return redisson.getAtomicLong("pieces:" + article);
  }

  /** Returns false if too few pieces are left. */
  public boolean reserve(String article, long pieces) {
    RLock lock = redisson.getLock("stock:" + article);
    lock.lock();
    try {
      return take(article, pieces);
    } finally {
      lock.unlock();
    }
  }

  /** The same with a bug: without finally, an error skips unlock(). FaultyReservationsTest finds the lock left behind. */
  public boolean reserveWithBug(String article, long pieces) {
    RLock lock = redisson.getLock("stock:" + article);
    lock.lock();
    boolean isReserved = take(article, pieces);
    lock.unlock();
    return isReserved;
  }

  private boolean take(String article, long pieces) {
    if (pieces <= 0) throw new IllegalArgumentException("not a number of pieces: " + pieces);
    if (stockOf(article).get() < pieces) return false;
    stockOf(article).addAndGet(-pieces);
    return true;
  }
}

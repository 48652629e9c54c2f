/**
 * Forms of locks that are recognised, but not understood: their holders are not known.
 *
 *   counter      INCR lock:import, and the client that reads 1 has it
 *   sorted-set   a member for each holder, with the end of its lease as its score
 *   hash-field   HINCRBY session:7 lock 1, in a hash with other fields
 *   set          SADD locks:active order:7, and the client that reads 1 has it
 *   list         BLPOP worker:AVAILABLE, and HSET worker:GRABBED token time: redis-semaphore of Ruby and Python
 *   empty        SETNX products~lock "", whose value is empty: the lock of Spring's cache writer
 */
export const STRANGE_FORMS = ['counter', 'sorted-set', 'hash-field', 'set', 'list', 'empty'] as const;
export type StrangeForm = (typeof STRANGE_FORMS)[number];

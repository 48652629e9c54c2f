/** The library of unique jobs whose lock is a hash with the ids of jobs. */
export const SIDEKIQ_UNIQUE_JOBS = 'sidekiq-unique-jobs';

/**
 * `uniquejobs:DIGEST:LOCKED`, perhaps after a prefix, or `uniquejobs:DIGEST:RUN:LOCKED` for a lock while a job runs.
 */
const HASH = /(?:^|:)uniquejobs:.+:LOCKED$/;

/**
 * Whether a key is the hash with the ids of the jobs that hold a lock of sidekiq-unique-jobs, by its default prefix.
 */
export function isHashOfJobs(key: string): boolean {
  return key.endsWith(':LOCKED') && HASH.test(key);
}

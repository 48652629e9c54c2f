/** Durations and numbers. Numbers come as text, with the digits that matter. */
export const time = {
  /** For numbers and their separators. */
  locale: 'en-US',
  micros: (n: string) => `${n} µs`,
  millis: (n: string) => `${n} ms`,
  seconds: (n: string) => `${n} s`,
  minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  days: (days: number, hours: number) => `${days} d ${hours} h`,
  now: 'now',
  ago: (age: string) => `${age} ago`,
};

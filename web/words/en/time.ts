/** Durations and numbers. Numbers are passed as text. */
export const time = {
  /** Locale of numbers and dates. */
  locale: 'en-US',
  micros: (n: string) => `${n} µs`,
  millis: (n: string) => `${n} ms`,
  seconds: (n: string) => `${n} s`,
  minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  days: (days: number, hours: number) => `${days} d ${hours} h`,
  whole: {
    minutes: (n: number) => `${n} min`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => `${n} d`,
  },
  now: 'now',
  ago: (age: string) => `${age} ago`,
};

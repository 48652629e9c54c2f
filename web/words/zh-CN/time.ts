import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';

export const time: Translated<Words['time']> = {
  locale: 'zh-CN',
  micros: (n) => `${n} µs`,
  millis: (n) => `${n} ms`,
  seconds: (n) => `${n} 秒`,
  minutes: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
  hours: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
  days: (days, hours) => `${days} 天 ${hours} 小时`,
  whole: {
    minutes: (n) => `${n} 分`,
    hours: (n) => `${n} 小时`,
    days: (n) => `${n} 天`,
  },
  now: '刚刚',
  ago: (age) => `${age}前`,
};

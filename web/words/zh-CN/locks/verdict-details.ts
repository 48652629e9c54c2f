import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const verdictDetails: Translated<Words['verdictDetails']> = {
  whyProblem: '为什么？',
  whyHint: '说明这类问题以及如何预防。',
  evidenceHint: '在时间线上显示这些事件。',
  confidenceMeaning: {
    certain: 'Redis 显示了全部过程。',
    likely: '其他解释不太可能。',
    hint: '另一种解释的可能性差不多。',
  },
  endsIn: (left) => `${left}后自行结束`,
  ending: '即将结束',
  sinceAndEnd: (since, end) => `${since}，${end}`,
  noEnd: '不知道何时结束',
  fromTo: (from, to) => `${from} 至 ${to}`,
  tooLong: {
    since: (clock) => `自 ${clock} 起等待过久`,
    sinceBefore: (clock) => `自 ${clock} 或更早起等待过久`,
  },
  ofSource: (source) => `整台服务器 ${source}`,
  noneInDay: 'Lockscope 在最近 24 小时内（或自启动以来）没有报告问题。',
  goesOn: (length) => `${length}，仍在持续`,
  noteText: '给所有查看此问题的人的备注',
  noteExample: '正在重启 orders-api',
  noteAuthor: '您的姓名',
  noteBy: (author, clock) => (author === null ? clock : `${author}，${clock}`),
  mayBeWrong: '数据可能有误。',
};

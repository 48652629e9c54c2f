import type { Words } from '../words.ts';
import { number } from './number.ts';

export const states: Words['states'] = {
  hints: '提示',
  monitorOff: '看不到谁在等待，也看不到原因。',
  monitorOffHint:
    'MONITOR 能显示是谁以及为什么。它会降低吞吐量：繁忙的 Redis 只剩 36% 到 40%。请只在允许变慢的系统上启用。',
  startMonitor: '启用 MONITOR …',
  goOnWithout: { events: '继续只用键事件', snapshot: '继续只用快照' },
  monitorRefused: (user) => `用户 ${user} 无权执行 MONITOR。`,
  monitorRefusedHint: {
    monitor: '要允许它：',
    events: '改用键事件观察：持有者可知，原因靠推断。要允许它：',
    snapshot: '改用快照观察：持有者可知，原因靠推断。要允许它：',
  },
  notificationsOff: 'Redis 没有发送键事件。',
  notificationsOffHint: {
    tracking: '改为跟踪已知的锁；新的锁要到下一次扫描才会发现。要改变这一点：',
    off: '租约的结束由计算得出，并由快照确认。要改变这一点：',
  },
  keepFlags: '请保留已设置的标志。或者用 --configure-notifications 启动 Lockscope。',
  copyCommand: '复制命令',
  goOn: '就这样继续',
  slowPage: (count) => `跳过了 ${number(count)} 个事件的绘制；记录是完整的。`,
  slowPageHint: '本页面有一段时间跟不上 Redis。被跳过的事件都在事件列表中。',
  reload: '重新加载',
  tryingAgain: '正在自动重试。',
  otherWays: '此外：“lockscope open FILE” 可打开录制文件，“lockscope demo” 不需要您的 Redis。',
  quietFor: (age) => `已有 ${age}没有锁活动。`,
  recording: '录制',
  recordingTitle: '录制文件',
  recordingSpan: (from, to, length) => `从 ${from} 到 ${to}：${length}。`,
  recordingMeaning: '这是当时观察到的内容。没有连接任何 Redis，不会再有变化。',
  recordingCutShort: '缺少结尾：录制被中断，或仍在写入。',
  recordingBadLines: (count) => `有 ${number(count)} 行无法读取，已略去。`,
  recordingLine: (line, reason) => `第 ${line} 行：${reason}`,
  recordingEnd: (clock) => `结束于 ${clock}`,
  recordingEndTitle: '录制的结尾，按您的时区显示',
  recordedLevel: { monitor: '使用 MONITOR', events: '使用键事件', snapshot: '使用快照' },
  noLocksRecorded: '这份录制中没有被持有或等待的锁。',
  noLocksRecordedHint: '其中没有涉及锁的内容，或者只有更新版本的 Lockscope 才能理解。',
  atEnd: '全部内容',
};

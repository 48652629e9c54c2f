import type { DemoCode, TextsOf } from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';

const NOT_STARTED = '场景的服务器没有启动：';
const TRY_AGAIN = '然后重新开始该场景，或选择其他场景。';
const STATES: Readonly<Record<string, string>> = {
  starting: '正在启动',
  running: '正在运行',
  frozen: '已冻结',
  cut: '已断开网络',
  dead: '已结束',
};

export const DEMO_TEXTS: Translated<TextsOf<DemoCode>> = {
  'key-in-use': ({ key }) => ({
    message: `该场景会使用键 ${key}，而它由另一个客户端创建。`,
    hint: '没有做任何更改。请不带 --redis 启动演示，或使用空的数据库：--redis redis://HOST:PORT/5。',
  }),
  'foreign-key': ({ prefix, isOdd, longest }) => ({
    message: isOdd
      ? `此处的名称有 1 到 ${longest} 个字符，不含花括号和控制字符。`
      : `在此 Redis 上，演示只使用以 ${prefix} 开头的名称。`,
    hint: `例如 ${prefix}orders:42。不带 --redis 时，演示使用私有的 Redis，名称不受限制。`,
  }),
  'too-many-names': ({ most }) => ({
    message: `演示已使用 ${most} 个名称。`,
    hint: '如需使用更多名称，请重新启动演示。',
  }),
  'no-such-scenario': ({ scenario, known }) => ({
    message: `没有场景 ${scenario}。`,
    hint: `可选的场景：${known.join('、')}。`,
  }),
  'recorded-demo': () => ({
    message: '这是一份录制，因此无法操作其中的客户端。',
    hint: '请安装 redis-server，然后重新启动 “lockscope demo”。',
  }),
  'no-such-client': ({ client, known }) => ({
    message: `没有演示客户端 ${client}。`,
    hint: `客户端：${known.join('、')}。`,
  }),
  'no-such-thread': ({ client, threads }) => ({
    message: `客户端 ${client} 没有这个线程。`,
    hint: `线程：1 到 ${threads}。`,
  }),
  'wrong-state': ({ client, state, action, possible }) => ({
    message: `客户端 ${client} ${STATES[state] ?? state}${action === undefined ? '' : `，因此无法 ${action}`}。`,
    hint: possible.length === 0 ? '请稍候。' : `现在可以：${possible.join('、')}。`,
  }),
  'client-failed': ({ client, quote }) => ({
    message: `客户端 ${client} 没有启动：${quote}`,
    hint: '请检查演示的 Redis 是否仍在运行。',
  }),
  'client-ended': ({ client, action }) => ({
    message: `客户端 ${client} 在 ${action} 过程中结束。`,
    hint: '请重新开始该场景。',
  }),
  'step-missing': ({ step, title }) => ({ message: `第 ${step} 步没有发生：${title}`, hint: '请重新开始该场景。' }),
  'scenario-failed': ({ quote }) => ({ message: `场景失败：${quote}`, hint: '请重新开始该场景。' }),
  'servers-failed': ({ quote }) => ({ message: `${NOT_STARTED}${quote}`, hint: `请解决上面的问题，${TRY_AGAIN}` }),
  'no-docker': () => ({
    message: `${NOT_STARTED}PATH 中没有 docker 命令。`,
    hint: `请安装 Docker 或 redis-server，${TRY_AGAIN}`,
  }),
  'docker-refused': () => ({
    message: `${NOT_STARTED}当前用户无权使用 Docker。`,
    hint: `请将该用户加入 docker 组并重新登录，${TRY_AGAIN}`,
  }),
  'docker-stopped': () => ({ message: `${NOT_STARTED}Docker 引擎没有运行。`, hint: `请启动 Docker，${TRY_AGAIN}` }),
  'docker-silent': () => ({ message: `${NOT_STARTED}Docker 没有响应。`, hint: `请重启 Docker，${TRY_AGAIN}` }),
  'no-image': ({ image, quote }) => ({
    message: `${NOT_STARTED}本机没有 Docker 镜像 ${image}，也无法拉取（${quote}）。`,
    hint: '请检查镜像名称和网络，或将 REDIS_IMAGE 设为 docker images 列出的镜像。',
  }),
  'port-taken': ({ quote }) => ({
    message: `${NOT_STARTED}端口已被其他程序占用：${quote}`,
    hint: '请重新开始该场景。',
  }),
};

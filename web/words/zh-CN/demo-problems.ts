import type { Words } from '../words.ts';

const START_DOCKER = '请启动 Docker，然后重新开始该场景。';
const NOT_STARTED = '场景的服务器没有启动：';

/** Reasons why the servers of a scenario did not start, by problem code. */
export const demoProblems: Words['problems']['byCode'] = {
  'servers-failed': ({ message }) => ({
    message: `${NOT_STARTED}${message.slice(message.indexOf(': ') + 2)}`,
    hint: '请解决上面的问题并重新开始该场景，或选择其他场景。',
  }),
  'no-docker': () => ({ message: `${NOT_STARTED}PATH 中没有 docker 命令。`, hint: '请安装 Docker 或 redis-server。' }),
  'docker-refused': () => ({
    message: `${NOT_STARTED}当前用户无权使用 Docker。`,
    hint: '请将该用户加入 docker 组并重新登录。',
  }),
  'docker-stopped': () => ({ message: `${NOT_STARTED}Docker 引擎没有运行。`, hint: START_DOCKER }),
  'docker-silent': () => ({ message: `${NOT_STARTED}Docker 没有响应。`, hint: START_DOCKER }),
  'no-image': ({ message }) => ({
    message: `${NOT_STARTED}本机没有 Docker 镜像 ${/image (\S+)/.exec(message)?.[1] ?? ''}，也无法拉取。`,
    hint: '请检查镜像名称和网络，或将 REDIS_IMAGE 设为 docker images 列出的镜像。',
  }),
  'port-taken': () => ({
    message: `${NOT_STARTED}端口已被其他程序占用。`,
    hint: '请结束占用端口的程序，然后重新开始该场景。',
  }),
};

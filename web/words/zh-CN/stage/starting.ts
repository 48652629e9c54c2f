import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const starting: Translated<Words['starting']> = {
  image: (image) => `正在拉取 Docker 镜像 ${image}，可能需要几分钟。`,
  servers: (done, of) => `正在启动 ${of} 个 Redis 服务器：已就绪 ${done} 个，共 ${of} 个。`,
  copies: (done, of) => `正在从主服务器同步 ${of} 个副本：已同步 ${done} 个，共 ${of} 个。`,
  watching: (done, of) => `Lockscope 正在连接这些服务器：已开始观测 ${done} 个，共 ${of} 个。`,
};

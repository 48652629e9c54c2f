import { ok, type Result } from '../../../shared/base/result.ts';
import { openCore } from '../open-core.ts';
import type { StoreCore } from '../store-core.ts';
import { Asked, type StoreLink } from '../store-link.ts';
import type { StoreTask } from '../thread-messages.ts';

/** A link to an open store in this thread. */
export function linkTo(core: StoreCore): StoreLink {
  const asked = new Asked(core);
  return { ask: (question) => asked.ask(question), close: () => asked.ask({ ask: 'close' }) };
}

/** Opens a store in this thread. The error is one line. */
export async function linkHere({ path, ...options }: StoreTask): Promise<Result<StoreLink, string>> {
  const core = await openCore(path, options);
  return core.ok ? ok(linkTo(core.value)) : core;
}

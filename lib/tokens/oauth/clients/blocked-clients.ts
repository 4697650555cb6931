import { publishLocally } from '../../../platform/bus';
import { createCache } from '../../../platform/cache';
import { BLOCKED_CLIENT_CACHE_SIZE } from '../../limits';
import { blockKeyOf, isBlocked } from '../../store/blocked-client-rows';

const blocked = createCache<boolean>({
  topic: 'client',
  max: BLOCKED_CLIENT_CACHE_SIZE,
  load: isBlocked,
});

/** True when a moderator blocked the client. Cached; notifications invalidate the entry. */
export function isBlockedClient(clientId: string): Promise<boolean> {
  return blocked.get(blockKeyOf(clientId));
}

/** Makes a change of a block effective on this node immediately. */
export function publishBlock(clientId: string): void {
  publishLocally('client', blockKeyOf(clientId));
}

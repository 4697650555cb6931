import { isOwnId } from './policy';
import { isAppOwner } from './store/apps';

/** True when the app is that person's; for those who link an agent to it. */
export async function ownsApp({ userId, appId }: { userId: string; appId: string }): Promise<boolean> {
  return isOwnId(appId) && isAppOwner({ id: appId, ownerId: userId });
}

import { findUser } from '../identity';
import { createCache } from '../platform/cache';
import { type AppCredentialRecord, findAppCredential } from './store/apps';

/** Known by the id of a secret, and by that of the app itself. */
const appCredentials = createCache<AppCredentialRecord | null>({
  name: 'app-credentials',
  topic: 'credential',
  max: 10_000,
  load: findAppCredential,
});

/** The app behind a secret (`sec_…`) or an app id, while the secret is good and the app's owner is not suspended. */
export async function findActiveApp(credentialId: string, now: Date): Promise<AppCredentialRecord | null> {
  const app = await appCredentials.get(credentialId);
  if (!app || (app.expiresAt !== null && app.expiresAt <= now)) return null;
  const owner = await findUser(app.ownerId);
  return owner && !owner.suspended ? app : null;
}

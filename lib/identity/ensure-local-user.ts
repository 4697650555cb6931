import { newId } from '../platform/ids';
import { hashPassword, verifyPassword } from './password';
import { insertUser, selectLocalAccount, updatePasswordHash } from './store/users';

/**
 * Makes sure that this person can sign in with this password, for the demo: makes the account or, when it has another
 * password, changes that. Any number of servers may do it at once.
 */
export async function ensureLocalUser({
  email,
  password,
  name,
  now,
}: {
  email: string;
  password: string;
  name: string;
  now: Date;
}): Promise<{ userId: string }> {
  const known = await selectLocalAccount(email);
  if (known) {
    const same = await verifyPassword(password, known.passwordHash);
    if (!same) await updatePasswordHash(known.userId, await hashPassword(password));
    return { userId: known.userId };
  }
  const id = newId('usr');
  const user = { id, email, emailVerified: now, name, passwordHash: await hashPassword(password) };
  if (await insertUser(user)) return { userId: id };
  return ensureLocalUser({ email, password, name, now });
}

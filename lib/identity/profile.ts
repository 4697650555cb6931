import { publish } from '../platform/bus';
import type { Call, Ctx } from '../platform/context';
import type { OfferedLocale } from '../texts/languages';
import { authorize } from './authorization';
import { sessionNotFound } from './errors';
import type { Profile } from './schema-views';
import { storeLocale } from './sessions/session-cache';
import { type ProfileRecord, selectProfile, updateName } from './store/users';

/** Returns the user to whom the credential of this call belongs, a session or an access token. */
export async function readProfile({ ctx }: { ctx: Ctx }): Promise<Profile> {
  const { email, name, credential } = authorize(ctx.actor, 'user');
  return { email, name, scopes: credential.kind === 'session' ? null : credential.scopes };
}

/**
 * Returns the stored profile of the signed-in user.
 * @throws {ParleyError} `unauthenticated`; `not_found` if the account was just deleted
 */
export async function getProfile({ ctx }: { ctx: Ctx }): Promise<ProfileRecord> {
  const profile = await selectProfile(authorize(ctx.actor, 'account').userId);
  if (!profile) throw sessionNotFound();
  return profile;
}

/**
 * Sets the language of the emails and notifications of the signed-in user. Does nothing for others, whose browser keeps
 * the language.
 */
export async function chooseLanguage({ ctx, input }: Call<{ locale: OfferedLocale }>): Promise<void> {
  if (ctx.actor.kind !== 'user') return;
  await storeLocale(ctx.actor.userId, { locale: input.locale, onlyIfUnknown: false });
}

/** Changes the user's display name. */
export async function renameUser({ ctx, input }: Call<{ name: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  await updateName(userId, input.name);
  await publish('user', userId);
}

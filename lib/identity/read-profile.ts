import type { Ctx } from '../platform/context';
import { requirePerson } from './policy';
import type { Profile } from './schema';

/** Who the credential of this call belongs to: themselves alone are told, by session or access token. */
export async function readProfile({ ctx }: { ctx: Ctx }): Promise<Profile> {
  const { email, name, credential } = requirePerson(ctx.actor);
  return { email, name, scopes: credential.kind === 'session' ? null : credential.scopes };
}

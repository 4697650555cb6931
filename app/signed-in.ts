import { redirect } from 'next/navigation';
import { pageContext } from '@/app/page-context';
import { signInPath } from '@/components/routes';

/** Returns the context and user of a signed-in page. Anonymous visitors sign in first and return to `path`. */
export async function signedIn(
  path: string,
): Promise<{ ctx: Awaited<ReturnType<typeof pageContext>>; userId: string; name: string; email: string }> {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(path));
  const { userId, name, email } = ctx.actor;
  return { ctx, userId, name, email };
}

import { redirect } from 'next/navigation';
import { signInPath } from '@/components/shell/routes';
import { pageContext } from '@/lib/http/pages/page-context';

/** The context and user of a signed-in page; anonymous visitors sign in first and return to `path`. */
export async function signedIn(
  path: string,
): Promise<{ ctx: Awaited<ReturnType<typeof pageContext>>; userId: string; name: string; email: string }> {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(path));
  const { userId, name, email } = ctx.actor;
  return { ctx, userId, name, email };
}

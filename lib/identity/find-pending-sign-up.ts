import type { Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { selectPendingSignUp } from './store/sign-ups';

/** The address that a link from our mail confirms, for whoever has the link; null when it is of no use any more. */
export async function findPendingSignUp({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { token: string };
}): Promise<{ email: string } | null> {
  const pending = await selectPendingSignUp(sha256(input.token), ctx.now);
  return pending && { email: pending.email };
}

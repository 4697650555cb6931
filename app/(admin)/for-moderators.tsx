import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { SignInAgain } from '@/components/payments/sign-in-again';

/**
 * What a moderator may see: the value as a page, a fresh sign-in first when the last is too long ago, and nothing for all
 * others. Told by its code: errors of ours come from another bundle.
 */
export async function forModerators<Value>(
  found: Promise<Value>,
  { here, show }: { here: string; show: (value: Value) => ReactNode },
): Promise<ReactNode> {
  try {
    return show(await orNotFound(found));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'sign_in_again')) throw error;
    return <SignInAgain returnTo={here} what="moderate" />;
  }
}

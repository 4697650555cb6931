import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import { routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { LinkButton } from '../ui/link-button';

export interface SignInAgainProps {
  /** A path of this site. */
  returnTo: string;
  /** What the person is about to do. */
  what?: string;
}

/** Asks for a fresh sign-in, which comes back to where the person is. */
export function SignInAgain({ returnTo, what = 'pay' }: SignInAgainProps): ReactNode {
  return (
    <Alert live="polite" title={`Sign in again to ${what}`} tone="warn">
      <p>Your sign-in is too long ago for this. You come back to where you are.</p>
      <LinkButton className="mt-3" href={withNext(routes.signIn, returnTo, { reason: 'pay' })} size="sm" tone="primary">
        Sign in again
      </LinkButton>
    </Alert>
  );
}

/** The person's own limit asks for a passkey that they do not have. */
export function PasskeyMissing(): ReactNode {
  return (
    <Alert title="This amount needs a passkey" tone="warn">
      <p>You set a limit above which only a passkey approves a payment, and you have none.</p>
      <LinkButton className="mt-3" href={routes.payments} size="sm">
        Add a passkey
      </LinkButton>
    </Alert>
  );
}

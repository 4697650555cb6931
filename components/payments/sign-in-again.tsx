import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import { routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { LinkButton } from '../ui/link-button';

/** Asks for a fresh sign-in, which comes back to the review. */
export function SignInAgain({ returnTo }: { returnTo: string }): ReactNode {
  return (
    <Alert title="Sign in again to pay" tone="warn">
      <p>Your sign-in is too long ago to move money with it. What you review is kept.</p>
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

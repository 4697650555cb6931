'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button';
import { clearSessionItems } from '../ui/controls/session-storage';

/** Ends the session and discards unsent text: the next user of this tab may be another person. */
export function SignOutForm(): ReactNode {
  const t = useTranslations('account.signOutForm');
  return (
    <form action="/api/auth/sign-out" method="post" onSubmit={clearSessionItems}>
      <Button className="w-full" tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

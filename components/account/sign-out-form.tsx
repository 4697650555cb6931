'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { forgetKept } from '../ui/kept-in-tab';

/** Ends the session. What was written and not sent goes with it: who comes next to this tab may be somebody else. */
export function SignOutForm(): ReactNode {
  const t = useTranslations('account.signOutForm');
  return (
    <form action="/api/auth/sign-out" method="post" onSubmit={forgetKept}>
      <Button className="w-full" tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { forgetDeviceUser } from '../../shell/device/device-names';
import { Button } from '../../ui/controls/button';
import { clearSessionItems } from '../../ui/controls/session-storage';

/** Ends the session and discards unsent text, because the next user of this tab may be another person. */
export function SignOutForm(): ReactNode {
  const t = useTranslations('account.signOutForm');
  return (
    <form action="/api/auth/sign-out" method="post" onSubmit={forgetUser}>
      <Button className="w-full" tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** Ends the session as `SignOutForm` does, and returns to `next`, where the next user signs in. */
export function SwitchAccount({ next }: { next: string }): ReactNode {
  const t = useTranslations('account.switchAccount');
  return (
    <form action="/api/auth/sign-out" method="post" onSubmit={forgetUser}>
      <input name="next" type="hidden" value={next} />
      <Button size="sm" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** Removes what the browser keeps of the user. */
function forgetUser(): void {
  clearSessionItems();
  forgetDeviceUser();
}

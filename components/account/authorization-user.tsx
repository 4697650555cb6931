import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { SwitchAccount } from './switch-account';

export interface AuthorizationAccount {
  name: string;
  email: string;
  /** The path of the request, to which the next user returns; `/` if it is too long to keep. */
  returnTo: string;
}

/** The user a client would act for, and the way to another account. */
export function AuthorizationUser({
  account: { name, email, returnTo },
}: {
  account: AuthorizationAccount;
}): ReactNode {
  const t = useTranslations('account.authorizationUser');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-5 text-sm">
      <dl className="min-w-0">
        <dt className="text-muted">{t('actsAs')}</dt>
        <dd className="font-medium break-words">
          <bdi>{name}</bdi>
        </dd>
        <dd className="break-all text-muted">
          <bdi>{email}</bdi>
        </dd>
      </dl>
      {returnTo === routes.home ? null : <SwitchAccount next={returnTo} />}
    </div>
  );
}

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { HOST_SCOPES } from '@/lib/platform/scopes';
import type { AuthorizationView } from '@/lib/tokens/schema-connections';
import { routes } from '../routes';
import { Alert } from '../ui/display/alert';
import { CheckIcon } from '../ui/display/icons';
import { UntrustedText } from '../ui/display/untrusted-text';
import { AccountFrame } from './account-frame';
import { AuthorizationForm } from './authorization-form';
import { type AuthorizationAccount, AuthorizationUser } from './authorization-user';
import { ClientOrigin } from './client-origin';
import { returnKindOf } from './return-kind';

export interface AuthorizationRequestProps {
  view: AuthorizationView;
  /** The parameters of the request, which the form repeats. */
  parameters: [string, string][];
  account: AuthorizationAccount;
}

/** The scopes that a client requests, the user, and the client's return address. No decision is made before a click. */
export function AuthorizationRequest({ view, parameters, account }: AuthorizationRequestProps): ReactNode {
  const t = useTranslations('account.authorizationRequest');
  const client = (): ReactNode => (
    <span className="break-words">
      <UntrustedText text={view.clientName} />
    </span>
  );
  return (
    <AccountFrame
      footer={t.rich('footer', {
        link: (chunks) => (
          <Link className="text-link" href={routes.connectedApps}>
            {chunks}
          </Link>
        ),
      })}
      title={t.rich('title', { client })}
    >
      <ClientOrigin view={view} />
      <Scopes view={view} />
      <AuthorizationUser account={account} />
      <Warning view={view} />
      <AuthorizationForm opensApp={returnKindOf(view) === 'scheme'} parameters={parameters} />
    </AccountFrame>
  );
}

/** Every scope, with the duration and the resource; `offline_access` determines the duration. */
function Scopes({ view: { scopes, offline, days, resource, resourceName } }: { view: AuthorizationView }): ReactNode {
  const t = useTranslations('account.authorizationRequest');
  const tScopes = useTranslations('account.connectionScopes');
  return (
    <section aria-labelledby="requested">
      <h2 className="text-sm font-medium" id="requested">
        {t('wants')}
      </h2>
      <ul className="mt-3 space-y-3 text-sm">
        {HOST_SCOPES.filter((id) => scopes.includes(id)).map((id) => (
          <li className="flex gap-3" key={id}>
            <CheckIcon className="mt-0.5 shrink-0 text-good" size={16} />
            <span className="min-w-0">
              <span className="block font-medium">{tScopes(`${id}.label`)}</span>
              <span className="block text-muted">{tScopes(`${id}.hint`)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm">{offline ? t('lastsDays', { days }) : t('lastsAnHour')}</p>
      <p className="mt-1 text-sm text-muted">
        {t.rich('resource', {
          name: () => <UntrustedText text={resourceName} />,
          address: () => <span className="font-mono text-xs break-all">{resource}</span>,
        })}{' '}
        {t('cannot')}
      </p>
    </section>
  );
}

/** Warns that other programs can use the name or the return address of this request. */
function Warning({ view }: { view: AuthorizationView }): ReactNode {
  const t = useTranslations('account.authorizationRequest');
  if (returnKindOf(view) !== 'website') {
    return (
      <Alert title={t('warnProgram')} tone="warn">
        {t('warnProgramHint')}
      </Alert>
    );
  }
  if (view.verified !== 'none') return null;
  return (
    <Alert title={t('warnUnverified')} tone="warn">
      {t.rich('warnUnverifiedHint', {
        returnsTo: view.returnsTo,
        host: (chunks) => <bdi className="font-medium break-all">{chunks}</bdi>,
      })}
    </Alert>
  );
}

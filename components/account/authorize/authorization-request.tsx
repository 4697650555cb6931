import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { HOST_SCOPES } from '@/lib/platform/scopes';
import type { AuthorizationView } from '@/lib/tokens/schema-connections';
import { routes } from '../../routes';
import { settingsRoutes } from '../../settings-routes';
import { Alert } from '../../ui/display/alert';
import { CheckIcon } from '../../ui/display/icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { AccountFrame } from '../sign-in/account-frame';
import { SwitchAccount } from '../sign-in/sign-out';
import { AuthorizationForm } from './authorization-form';

interface AuthorizationRequestProps {
  view: AuthorizationView;
  /** The parameters of the request, which the form repeats. */
  parameters: [string, string][];
  account: AuthorizationAccount;
}

/** The scopes that a client requests, the user, and the client's redirect target. Nothing is decided before a click. */
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
          <Link className="text-link" href={settingsRoutes.connectedApps}>
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

/** Warns that other programs can use the name or the redirect target of this request. */
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

/** The URL to which a client returns the user, and the source that verifies the client's name. */
function ClientOrigin({ view }: { view: AuthorizationView }): ReactNode {
  const t = useTranslations('account.clientOrigin');
  const { verified, clientHost, returnsTo, redirectOrigin } = view;
  const kind = returnKindOf(view);
  const host = (chunks: ReactNode): ReactNode => <bdi className="break-all">{chunks}</bdi>;
  return (
    <dl className="rounded-md border border-line bg-sunken px-4 py-3">
      <dt className="text-sm text-muted">{t('returnsTo')}</dt>
      <dd className="mt-0.5 text-lg font-semibold">
        {kind === 'website' ? host(returnsTo) : null}
        {kind === 'computer' ? t('computer') : null}
        {kind === 'scheme' ? t.rich('scheme', { scheme: redirectOrigin, host }) : null}
      </dd>
      <dd className="mt-1 text-sm text-muted">
        {verified === 'document' ? t.rich('document', { clientHost: clientHost ?? '', host }) : t(verified)}
      </dd>
    </dl>
  );
}

/**
 * The target to which a client returns: a website, a program on this computer, or the app that opens a private-use
 * scheme.
 */
type ReturnKind = 'website' | 'computer' | 'scheme';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the kind of target. Plain HTTP is valid only for loopback addresses (RFC 8252 §8.3). */
function returnKindOf({ redirectOrigin }: Pick<AuthorizationView, 'redirectOrigin'>): ReturnKind {
  if (redirectOrigin.startsWith('http:')) return 'computer';
  if (!redirectOrigin.startsWith('https://')) return 'scheme';
  return loopbackHosts.includes(new URL(redirectOrigin).hostname) ? 'computer' : 'website';
}

interface AuthorizationAccount {
  name: string;
  email: string;
  /** The path of the request, to which the next user returns; `/` if it is too long to keep. */
  returnTo: string;
}

/** The user for whom a client would act, and a link to use another account. */
function AuthorizationUser({ account: { name, email, returnTo } }: { account: AuthorizationAccount }): ReactNode {
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

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AuthorizationView } from '@/lib/tokens/schema-connections';
import { returnKindOf } from './return-kind';

/** The address to which a client returns the user, and the source that verifies the client's name. */
export function ClientOrigin({ view }: { view: AuthorizationView }): ReactNode {
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

'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AccessTokenView } from '@/lib/tokens/schema';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { EmptyNote } from '../../ui/display/empty-note';
import { useFormat } from '../../ui/display/format';
import { useSuccess } from '../../ui/overlays/toast';
import { scopeLabel } from './scopes';

export interface TokenListProps {
  tokens: AccessTokenView[];
}

/** The user's access tokens, each with a way to revoke it. */
export function TokenList({ tokens }: TokenListProps): ReactNode {
  const t = useTranslations('account.tokenList');
  if (tokens.length === 0) {
    return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </Card>
  );
}

function TokenRow({ token }: { token: AccessTokenView }): ReactNode {
  const t = useTranslations('account.tokenList');
  const tScopes = useTranslations('account.scopes');
  const succeed = useSuccess();
  const { id, kind, name, prefix, scopes } = token;

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{name}</bdi>{' '}
          {kind === 'device' ? (
            <Badge>{t('device')}</Badge>
          ) : (
            <span className="font-mono text-sm font-normal text-muted">{prefix}…</span>
          )}
        </p>
        <p className="mt-1 text-sm text-muted">{scopes.map((scope) => scopeLabel(tScopes, scope)).join(' · ')}</p>
        <TokenDays token={token} />
      </div>
      <ConfirmDialog
        action={t('revokeAction')}
        onDone={() => succeed(t('revoked', { name }))}
        path={`/api/auth/access-tokens/${id}`}
        title={t('revokeTitle', { name })}
        trigger={<Button aria-label={t('revokeLabel', { name })}>{t('revoke')}</Button>}
      >
        {t('revokeConfirm')}
      </ConfirmDialog>
    </li>
  );
}

/** The dates of creation, last use and expiry. */
function TokenDays({ token: { createdAt, lastUsedAt, expiresAt } }: { token: AccessTokenView }): ReactNode {
  const t = useTranslations('account.tokenList');
  const format = useFormat();
  const created = (chunks: ReactNode): ReactNode => <time dateTime={createdAt}>{chunks}</time>;
  const createdOn = format.date(createdAt);
  return (
    <p className="mt-1 text-sm text-muted">
      {lastUsedAt
        ? t.rich('used', {
            created,
            createdOn,
            used: (chunks) => <time dateTime={lastUsedAt}>{chunks}</time>,
            usedOn: format.date(lastUsedAt),
          })
        : t.rich('neverUsed', { created, createdOn })}{' '}
      {expiresAt
        ? t.rich('expires', {
            expires: (chunks) => <time dateTime={expiresAt}>{chunks}</time>,
            expiresOn: format.date(expiresAt),
          })
        : t('expiresNever')}
    </p>
  );
}

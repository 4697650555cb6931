'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { AccessTokenView } from '@/lib/tokens/schema';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatDate } from '../ui/format-date';
import { toast } from '../ui/toast';
import { ConfirmDialog } from './confirm-dialog';
import { scopeLabel } from './scopes';

export interface TokenListProps {
  tokens: AccessTokenView[];
}

/** The person's access tokens, each with the way to revoke it. */
export function TokenList({ tokens }: TokenListProps): ReactNode {
  if (tokens.length === 0) {
    return (
      <EmptyState title="No access tokens">
        A command line or a script signs in with one. Create the first below.
      </EmptyState>
    );
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
  const router = useRouter();
  const { id, kind, name, prefix, scopes, createdAt, expiresAt, lastUsedAt } = token;

  function revoked(): void {
    toast({ tone: 'good', text: `The token ${name} is revoked.` });
    router.refresh();
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{name}</bdi>{' '}
          {kind === 'device' ? (
            <Badge>Device</Badge>
          ) : (
            <span className="font-mono text-sm font-normal text-muted">{prefix}…</span>
          )}
        </p>
        <p className="mt-1 text-sm text-muted">{scopes.map(scopeLabel).join(' · ')}</p>
        <p className="mt-1 text-sm text-muted">
          Created on <time dateTime={createdAt}>{formatDate(createdAt)}</time>,{' '}
          {lastUsedAt ? (
            <>
              last used on <time dateTime={lastUsedAt}>{formatDate(lastUsedAt)}</time>
            </>
          ) : (
            'never used'
          )}
          .{' '}
          {expiresAt ? (
            <>
              Expires on <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>.
            </>
          ) : (
            'Does not expire.'
          )}
        </p>
      </div>
      <ConfirmDialog
        action="Revoke token"
        onDone={revoked}
        path={`/api/auth/access-tokens/${id}`}
        title={`Revoke ${name}?`}
        trigger={<Button aria-label={`Revoke the token ${name}`}>Revoke</Button>}
      >
        Whatever uses it stops working at once, and so do the tokens for agents that were made with it.
      </ConfirmDialog>
    </li>
  );
}

'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../forms/call-api';
import { newDisputePath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { useSuccess } from '../../ui/overlays/toast';

interface AcceptResultProps {
  kind: 'order' | 'charge';
  saleId: string;
  /** The name of the agent. */
  name: string;
}

/** The buyer's answers to a result: accept it, or dispute it as not as agreed. */
export function AcceptResult({ kind, saleId, name }: AcceptResultProps): ReactNode {
  const t = useTranslations('payments.acceptance');
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function accept(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('POST', '/api/acceptances', { kind, saleId });
    setPending(false);
    if (response.ok) succeed(t('accepted'));
    else setProblem(response.problem.title);
  }

  return (
    <div className="space-y-2 print:hidden">
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button aria-label={t('acceptOf', { name })} onClick={() => void accept()} pending={pending} tone="primary">
          {t('accept')}
        </Button>
        <LinkButton aria-label={t('disputeOf', { name })} href={newDisputePath(kind, saleId, 'not_as_agreed')}>
          {t('dispute')}
        </LinkButton>
      </div>
      <p className="text-xs text-muted">{t('hint')}</p>
    </div>
  );
}

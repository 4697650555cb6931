'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { FormProblem } from '../../forms/form-problem';
import { Reauthenticate } from '../../forms/reauthenticate';
import { paymentSettings } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { useSuccess } from '../../ui/overlays/toast';

export interface RecoveryProps {
  /** The time at which a requested recovery removes all passkeys; null if no recovery is requested. */
  dueAt: string | null;
}

/** Requests the removal of lost passkeys, or cancels the request with a passkey. */
export function Recovery({ dueAt }: RecoveryProps): ReactNode {
  const t = useTranslations('payments.recovery');
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function run(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi(dueAt === null ? 'POST' : 'DELETE', '/api/auth/recovery');
    setPending(false);
    if (!response.ok) return setProblem(response.problem);
    succeed(t(dueAt === null ? 'requested' : 'canceled'));
  }

  return (
    <section aria-labelledby="recovery" className="mt-8 max-w-lg space-y-4">
      <h3 className="font-semibold" id="recovery" tabIndex={-1}>
        {t('title')}
      </h3>
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={paymentSettings('recovery')} what="recover" />
      ) : (
        <FormProblem problem={problem} />
      )}
      {dueAt === null ? (
        <p className="text-sm text-muted">{t('hint')}</p>
      ) : (
        <Alert title={t.rich('pending', { time: () => <DateTime at={dueAt} /> })} tone="warn">
          {t('pendingHint')}
        </Alert>
      )}
      <Button onClick={() => void run()} pending={pending}>
        {t(dueAt === null ? 'request' : 'cancel')}
      </Button>
    </section>
  );
}

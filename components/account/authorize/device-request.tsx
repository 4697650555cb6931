'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ACCESS_SCOPES } from '@/lib/platform/scopes';
import { REFRESH_TOKEN_MS } from '@/lib/tokens/limits';
import type { DeviceRequestView } from '@/lib/tokens/schema';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { FormProblem } from '../../forms/form-problem';
import { Reauthenticate } from '../../forms/reauthenticate';
import { authorizationPaths } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { UntrustedText } from '../../ui/display/untrusted-text';

export interface DeviceRequestProps {
  userCode: string;
  request: DeviceRequestView;
  onDecided: (allowed: boolean) => void;
}

/**
 * The device, the scopes that it requests, and the place and time of the request. Nothing is decided before a click.
 */
export function DeviceRequest({ userCode, request, onDecided }: DeviceRequestProps): ReactNode {
  const t = useTranslations('account.deviceRequest');
  const panel = useRef<HTMLDivElement>(null);
  const [pending, setPending] = useState<'allow' | 'deny' | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  useEffect(() => panel.current?.focus(), []);

  async function decide(allow: boolean): Promise<void> {
    setPending(allow ? 'allow' : 'deny');
    setProblem(null);
    const response = await callApi('POST', '/api/auth/device/decide', { userCode, allow });
    setPending(null);
    if (response.ok) onDecided(allow);
    else setProblem(response.problem);
  }

  return (
    <section aria-label={t('device')} className="scroll-mt-24 space-y-5 outline-none" ref={panel} tabIndex={-1}>
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={authorizationPaths.device} what="letDevicePay" />
      ) : (
        <FormProblem problem={problem} />
      )}
      <Facts request={request} />
      <Wanted scopes={request.scopes} />
      <Alert tone="warn">{t('warning')}</Alert>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button
          className="flex-1"
          disabled={pending !== null}
          onClick={() => void decide(true)}
          pending={pending === 'allow'}
          tone="primary"
        >
          {t('allow')}
        </Button>
        <Button
          className="flex-1"
          disabled={pending !== null}
          onClick={() => void decide(false)}
          pending={pending === 'deny'}
        >
          {t('deny')}
        </Button>
      </div>
    </section>
  );
}

function Wanted({ scopes: wanted }: { scopes: string[] }): ReactNode {
  const t = useTranslations('account.deviceRequest');
  const tScopes = useTranslations('account.scopes');
  return (
    <div>
      <h2 className="text-sm font-medium">{t('wants')}</h2>
      <ul className="mt-2 space-y-2 text-sm">
        {ACCESS_SCOPES.filter((id) => wanted.includes(id)).map((id) => (
          <li key={id}>
            <span className="block font-medium">{tScopes(`${id}.label`)}</span>
            <span className="block text-muted">{tScopes(`${id}.hint`)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm">{t('lasts', { days: REFRESH_TOKEN_MS / 86_400_000 })}</p>
    </div>
  );
}

function Facts({ request }: { request: DeviceRequestView }): ReactNode {
  const t = useTranslations('account.deviceRequest');
  const { clientId, address, userAgent, createdAt } = request;
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <dt className="text-muted">{t('client')}</dt>
      <dd>
        {t.rich('commandLine', {
          clientId,
          mono: (chunks) => <span className="font-mono text-xs text-muted">{chunks}</span>,
        })}
      </dd>
      <dt className="text-muted">{t('program')}</dt>
      <dd className="break-words">{userAgent ? <UntrustedText text={userAgent} /> : t('programUnknown')}</dd>
      <dt className="text-muted">{t('from')}</dt>
      <dd className="font-mono break-all">{address}</dd>
      <dt className="text-muted">{t('asked')}</dt>
      <dd>
        <DateTime at={createdAt} />
      </dd>
    </dl>
  );
}

'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiProblem, callApi } from '../../account/call-api';
import { FormProblem } from '../../account/form-problem';
import { routes } from '../../shell/routes';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { Reauthenticate } from '../reauthenticate';

/** The time zone of days and months, with the browser's as an alternative. */
export function ZoneChoice({ timeZone }: { timeZone: string | null }): ReactNode {
  const t = useTranslations('payments.zoneChoice');
  const router = useRouter();
  const [own, setOwn] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const current = timeZone ?? 'UTC';

  useEffect(() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  async function use(zone: string): Promise<void> {
    setPending(true);
    const response = await callApi('PUT', '/api/spending/time-zone', { timeZone: zone });
    setPending(false);
    setProblem(response.ok ? null : response.problem);
    if (!response.ok) return;
    toast({ tone: 'good', text: t('saved') });
    router.refresh();
  }

  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {t('zone', { zone: current })}
        {own && own !== current ? (
          <Button onClick={() => void use(own)} pending={pending} size="sm">
            {t('use', { zone: own })}
          </Button>
        ) : null}
      </p>
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={routes.spending} what="changeLimit" />
      ) : (
        <FormProblem problem={problem} />
      )}
    </div>
  );
}

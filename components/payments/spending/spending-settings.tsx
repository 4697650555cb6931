'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import type { AutomaticEmails as Choice } from '@/lib/payments/schema-spending';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Select } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';
import { RaiseProblem, useRaise } from './use-raise';

/** Marks the alerts that the page displays as seen. If this fails, they count as new on the next visit. */
export function AlertsSeen({ until }: { until: string }): null {
  const router = useRouter();
  useEffect(() => {
    void callApi('PUT', '/api/spending/alerts/seen', { until });
    // The header, which announces them, persists across navigations.
    return () => router.refresh();
  }, [until, router]);
  return null;
}

/** The time zone that determines days and months, with the browser's as an alternative. */
export function ZoneChoice({ timeZone }: { timeZone: string | null }): ReactNode {
  const t = useTranslations('payments.zoneChoice');
  const router = useRouter();
  const [own, setOwn] = useState<string | null>(null);
  const { busy, problem, save } = useRaise('/api/spending/time-zone', () => {
    toast({ tone: 'good', text: t('saved') });
    router.refresh();
  });
  const current = timeZone ?? 'UTC';

  useEffect(() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {t('zone', { zone: current })}
        {own && own !== current ? (
          <Button onClick={() => void save({ timeZone: own })} pending={busy !== null} size="sm">
            {t('use', { zone: own })}
          </Button>
        ) : null}
      </p>
      <RaiseProblem problem={problem} />
    </div>
  );
}

const choices: Choice[] = ['each', 'daily'];

/** The choice of the time at which automatic payments are reported by email. Saved immediately. */
export function AutomaticEmails({ emails }: { emails: Choice }): ReactNode {
  const t = useTranslations('payments.automaticEmails');
  const router = useRouter();
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [chosen, setChosen] = useState(emails);
  const [busy, setBusy] = useState(false);

  async function save({ target }: ChangeEvent<HTMLSelectElement>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setChosen(target.value as Choice);
    const response = await callApi('PUT', '/api/spending/automatic-payments/emails', { emails: target.value });
    setBusy(false);
    setProblem(response.ok ? null : response.problem);
    if (!response.ok) return setChosen(chosen);
    toast({ tone: 'good', text: t('saved') });
    router.refresh();
  }

  return (
    <div className="space-y-3">
      <Field id="automatic-emails" label={t('label')}>
        {(control) => (
          <Select {...control} name="emails" onChange={(event) => void save(event)} value={chosen}>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {t(choice)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormProblem problem={problem} />
    </div>
  );
}

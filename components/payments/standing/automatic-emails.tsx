'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import type { AutomaticEmails as Choice } from '@/lib/payments/schema-spending-alerts';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Select } from '../../forms/inputs';
import { toast } from '../../ui/overlays/toast';

const choices: Choice[] = ['each', 'daily'];

/** The choice of when automatic payments are reported by email; saved immediately. */
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

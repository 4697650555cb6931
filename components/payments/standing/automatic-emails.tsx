'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import type { AutomaticEmails as Choice } from '@/lib/payments/schema-spending-alerts';
import { type ApiProblem, callApi } from '../../account/call-api';
import { FormProblem } from '../../account/form-problem';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { toast } from '../../ui/toast';

const choices: Choice[] = ['each', 'daily'];

/** When automatic payments are emailed; saved with the choice. */
export function AutomaticEmails({ emails }: { emails: Choice }): ReactNode {
  const t = useTranslations('payments.automaticEmails');
  const router = useRouter();
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function save({ target }: ChangeEvent<HTMLSelectElement>): Promise<void> {
    const response = await callApi('PUT', '/api/spending/automatic-payments/emails', { emails: target.value });
    setProblem(response.ok ? null : response.problem);
    if (response.ok) toast({ tone: 'good', text: t('saved') });
    router.refresh();
  }

  return (
    <div className="space-y-3">
      <Field id="automatic-emails" label={t('label')}>
        {(control) => (
          <Select {...control} defaultValue={emails} key={emails} name="emails" onChange={(event) => void save(event)}>
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

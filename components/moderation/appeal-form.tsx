'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_STATEMENT_LENGTH } from '@/lib/moderation/limits';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Textarea } from '../forms/inputs';
import { useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { useSuccess } from '../ui/overlays/toast';

/** Appeals a decision, once. */
export function AppealForm({ caseId }: { caseId: string }): ReactNode {
  const t = useTranslations('moderation.appealForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    path: `/api/moderation/cases/${encodeURIComponent(caseId)}/appeal`,
    onDone: () => succeed(t('sent')),
  });
  return (
    <form {...form} className="space-y-4">
      <h2 className="text-lg font-semibold">{t('title')}</h2>
      <FormProblem problem={problem} />
      <Field error={fieldErrors.text} hint={t('hint')} id="appeal" label={t('label')} required>
        {(control) => <Textarea {...control} maxLength={MAX_STATEMENT_LENGTH} name="text" rows={6} />}
      </Field>
      <Button pending={pending} tone="primary" type="submit">
        {t('send')}
      </Button>
    </form>
  );
}

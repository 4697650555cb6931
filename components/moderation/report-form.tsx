'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_STATEMENT_LENGTH } from '@/lib/moderation/limits';
import { anonymousReason, type Receipt, reasonsOf, type TargetKind } from '@/lib/moderation/schema';
import { ChoiceList } from '../forms/choice-list';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Textarea } from '../forms/inputs';
import { type FieldErrors, useForm } from '../forms/use-form';
import { receiptPath, reportPath, signInPath } from '../routes';
import { Button, LinkButton } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';

export interface ReportFormProps {
  kind: TargetKind;
  id: string;
  signedIn: boolean;
}

/** Reports content to the moderators with a reason and a comment; the reporter receives a receipt. */
export function ReportForm({ kind, id, signedIn }: ReportFormProps): ReactNode {
  const t = useTranslations('moderation.reportForm');
  const tWords = useTranslations('moderation.words');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/reports',
    check: ({ reason }): FieldErrors => (reason ? {} : { reason: t('reasonMissing') }),
    toBody: ({ reason, details }) => ({ kind, id, reason, details }),
    onDone(body) {
      router.push(receiptPath((body as Receipt).id));
      return 'leaving';
    },
  });
  const reasons = signedIn ? reasonsOf[kind] : [anonymousReason];
  return (
    <form {...form} className="max-w-xl space-y-6">
      <FormProblem problem={problem} />
      {signedIn ? null : (
        <Alert title={t('signedOut')}>
          <p>{t('signedOutHint')}</p>
          <LinkButton className="mt-3" href={signInPath(reportPath(kind, id))} size="sm">
            {t('signIn')}
          </LinkButton>
        </Alert>
      )}
      <ChoiceList
        choices={reasons.map((reason) => ({
          value: reason,
          label: tWords(`reasons.${reason}.label`),
          hint: tWords(`reasons.${reason}.hint`),
        }))}
        error={fieldErrors.reason}
        legend={t('reason')}
        name="reason"
      />
      <Field error={fieldErrors.details} hint={t('detailsHint')} id="details" label={t('details')}>
        {(control) => <Textarea {...control} maxLength={MAX_STATEMENT_LENGTH} name="details" rows={5} />}
      </Field>
      <Button pending={pending} tone="primary" type="submit">
        {t('send')}
      </Button>
    </form>
  );
}

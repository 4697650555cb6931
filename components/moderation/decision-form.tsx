'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_STATEMENT_LENGTH } from '@/lib/moderation/limits';
import { type CaseState, type DecisionResult, type ReportReason, reportReasons } from '@/lib/moderation/schema';
import { ChoiceList } from '../forms/choice-list';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Select, Textarea } from '../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';
import { decisionsIn } from './case-labels';

export interface DecisionFormProps {
  /** The cases to decide; empty until some are selected. */
  ids: string[];
  state: CaseState;
  /** The most frequent reason of the reports. */
  reason?: ReportReason;
}

/** Decides one case or many in bulk. */
export function DecisionForm({ ids, state, reason }: DecisionFormProps): ReactNode {
  const t = useTranslations('moderation.decisionForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/moderation/decisions',
    check: ({ decision, reason: given }): FieldErrors => {
      if (!decision) return { decision: t('decisionMissing') };
      return decision === 'remove' && !given ? { reason: t('reasonMissing') } : {};
    },
    toBody: (fields) => bodyOf(ids, fields),
    onDone(body) {
      const { items } = body as DecisionResult;
      const failed = items.filter((item) => item.problem !== null);
      const decided = items.length - failed.length;
      if (decided > 0) toast({ tone: 'good', text: t('decided', { count: decided }) });
      for (const item of failed) toast({ tone: 'danger', text: t('undecided', { detail: item.problem ?? '' }) });
      router.refresh();
      return 'staying';
    },
  });
  const decisions = decisionsIn[state] ?? [];
  return (
    <form {...form} aria-label={t('decision')} className="space-y-5">
      <FormProblem problem={problem} />
      <ChoiceList
        choices={decisions.map((decision) => ({
          value: decision,
          label: t(`choices.${decision}.label`),
          hint: t(`choices.${decision}.hint`),
        }))}
        {...(decisions.length === 1 ? { defaultValue: decisions[0] } : {})}
        error={fieldErrors.decision}
        legend={t('decision')}
        name="decision"
      />
      {state === 'open' ? <ReasonField error={fieldErrors.reason} reason={reason} /> : null}
      <Field error={fieldErrors.statement} hint={t('statementHint')} id="statement" label={t('statement')}>
        {(control) => <Textarea {...control} maxLength={MAX_STATEMENT_LENGTH} name="statement" rows={3} />}
      </Field>
      <Button disabled={ids.length === 0} pending={pending} tone="primary" type="submit">
        {t('decide', { count: ids.length })}
      </Button>
    </form>
  );
}

function ReasonField({ error, reason }: { error: string | undefined; reason: ReportReason | undefined }): ReactNode {
  const t = useTranslations('moderation.decisionForm');
  const tWords = useTranslations('moderation.words');
  return (
    <Field error={error} hint={t('reasonHint')} id="reason" label={t('reason')} required>
      {({ required: _, ...control }) => (
        <Select {...control} className="w-full" defaultValue={reason ?? ''} name="reason">
          <option value="">{t('noReason')}</option>
          {reportReasons.map((one) => (
            <option key={one} value={one}>
              {tWords(`reasons.${one}.label`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function bodyOf(ids: string[], { decision, reason, statement }: Fields): object {
  return { ids, decision, statement: statement ?? '', ...(decision === 'remove' && { reason }) };
}

'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import {
  type CaseState,
  type Decision,
  type DecisionResult,
  MAX_STATEMENT,
  type ReportReason,
  reportReasons,
} from '@/lib/moderation/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { ChoiceList } from '../ui/choice-list';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';
import { reasonWords } from './words';

export interface DecisionFormProps {
  /** The cases that are decided; none are chosen yet when it is empty. */
  ids: string[];
  state: CaseState;
  /** The reason that most reports give. */
  reason?: ReportReason;
}

const choices: Record<Decision, { label: string; hint: string }> = {
  dismiss: { label: 'No breach', hint: 'Nothing is taken down; who reported is told.' },
  remove: { label: 'Take down', hint: 'It is gone at once and everywhere; owner, reporters and users are told why.' },
  restore: { label: 'Restore', hint: 'It comes back exactly as it was; all are told.' },
  uphold: { label: 'Stays down', hint: 'The appeal is turned down; the owner is told.' },
};

const open: Partial<Record<CaseState, Decision[]>> = {
  open: ['dismiss', 'remove'],
  removed: ['restore'],
  appealed: ['uphold', 'restore'],
  upheld: ['restore'],
};

/** True for states in which something can be decided. */
export function isDecidable(state: CaseState): boolean {
  return open[state] !== undefined;
}

/** Decides about one case or many at once. */
export function DecisionForm({ ids, state, reason }: DecisionFormProps): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    path: '/api/moderation/decisions',
    check: missingIn,
    toBody: (fields) => bodyOf(ids, fields),
    onDone(body) {
      const { items } = body as DecisionResult;
      const failed = items.filter((item) => item.problem !== null);
      const decided = items.length - failed.length;
      if (decided > 0) toast({ tone: 'good', text: decided === 1 ? 'Decided.' : `${decided} cases decided.` });
      for (const item of failed) toast({ tone: 'danger', text: item.problem ?? '' });
      router.refresh();
      return 'staying';
    },
  });
  const decisions = open[state] ?? [];
  return (
    <form {...form} aria-label="Decision" className="space-y-5">
      <FormProblem problem={problem} />
      <ChoiceList
        choices={decisions.map((decision) => ({ value: decision, ...choices[decision] }))}
        defaultValue={decisions[0] ?? ''}
        legend="Decision"
        name="decision"
      />
      {state === 'open' ? (
        <Field error={faults.reason} hint="Needed to take something down." id="reason" label="Reason">
          {(control) => (
            <Select {...control} className="w-full" defaultValue={reason ?? ''} name="reason">
              <option value="">None</option>
              {reportReasons.map((one) => (
                <option key={one} value={one}>
                  {reasonWords[one].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field error={faults.statement} hint="The owner reads it." id="statement" label="Statement">
        {(control) => <Textarea {...control} maxLength={MAX_STATEMENT} name="statement" rows={3} />}
      </Field>
      <Button disabled={ids.length === 0} pending={pending} tone="primary" type="submit">
        {ids.length === 1 ? 'Decide' : `Decide ${ids.length} cases`}
      </Button>
    </form>
  );
}

function missingIn({ decision, reason }: Fields): Faults {
  return decision === 'remove' && !reason ? { reason: 'Choose the reason why it is taken down.' } : {};
}

function bodyOf(ids: string[], { decision, reason, statement }: Fields): object {
  return { ids, decision, statement: statement ?? '', ...(decision === 'remove' && { reason }) };
}

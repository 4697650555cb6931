'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_GUEST_TURNS_PER_DAY } from '@/lib/catalog/limits';
import type { OwnCallLimits } from '@/lib/catalog/schema-registration';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

type Translator = ReturnType<typeof useTranslations<'console.guestForm'>>;

interface GuestFormProps {
  slug: string;
  callLimits: OwnCallLimits;
  /** Messages of visitors without an account in the last 24 hours. */
  sent: number;
}

/** The maximum number of messages from visitors without an account, 0 for none. */
export function GuestForm({ slug, callLimits, sent }: GuestFormProps): ReactNode {
  const t = useTranslations('console.guestForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(slug)}`,
    check: (fields) => outsideIn(fields, t),
    toBody: ({ turns }) => ({ callLimits: { ...callLimits, guestTurnsPerDay: Number(turns) } }),
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.turns} hint={t('hint')} id="guest-turns" label={t('turns')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="max-w-32"
            defaultValue={String(callLimits.guestTurnsPerDay ?? 0)}
            inputMode="numeric"
            name="turns"
          />
        )}
      </Field>
      <p className="text-sm text-muted">{t('sent', { count: sent })}</p>
      <Button pending={pending} tone="primary" type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

function outsideIn({ turns = '' }: Fields, t: Translator): FieldErrors {
  const isAllowed = /^\d{1,5}$/.test(turns.trim()) && Number(turns) <= MAX_GUEST_TURNS_PER_DAY;
  if (isAllowed) return {};
  return { turns: t('outside', { max: String(MAX_GUEST_TURNS_PER_DAY) }) };
}

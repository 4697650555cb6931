'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_QUEUE_SECONDS } from '@/lib/catalog/limits';
import type { OwnCallLimits } from '@/lib/catalog/schema-registration';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';

type Translator = ReturnType<typeof useTranslations<'console.queueForm'>>;

interface QueueFormProps {
  slug: string;
  callLimits: OwnCallLimits;
  /** The value that applies if the team has set none. */
  defaultSeconds: number;
}

/** The maximum time for which tasks wait while no worker is connected. */
export function QueueForm({ slug, callLimits, defaultSeconds }: QueueFormProps): ReactNode {
  const t = useTranslations('console.queueForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(slug)}`,
    check: (fields) => outsideIn(fields, t),
    toBody: ({ seconds }) => ({ callLimits: { ...callLimits, queueSeconds: Number(seconds) } }),
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.seconds} hint={t('hint')} id="queue-seconds" label={t('seconds')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="max-w-32"
            defaultValue={String(callLimits.queueSeconds ?? defaultSeconds)}
            inputMode="numeric"
            name="seconds"
          />
        )}
      </Field>
      <Button pending={pending} tone="primary" type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

function outsideIn({ seconds = '' }: Fields, t: Translator): FieldErrors {
  const isAllowed = /^\d{1,5}$/.test(seconds.trim()) && Number(seconds) <= MAX_QUEUE_SECONDS;
  if (isAllowed) return {};
  return { seconds: t('outside', { max: String(MAX_QUEUE_SECONDS) }) };
}

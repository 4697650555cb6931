'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

/** Resends all undelivered pushes of a period, chosen in the reader's time zone as the list shows it. */
export function RecoverPushes(): ReactNode {
  const t = useTranslations('console.recoverPushes');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/push/dead-letters/recover',
    check: ({ from, to }) => ({
      ...(from ? {} : { from: t('noFrom') }),
      ...(to ? {} : { to: t('noTo') }),
    }),
    toBody: ({ from = '', to = '' }) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
    onDone(body) {
      const { taken, failed, more } = body as { taken: number; failed: number; more: boolean };
      const text = t(more ? 'doneInPart' : 'done', { taken: String(taken), failed: String(failed) });
      toast({ tone: failed === 0 ? 'good' : 'danger', text });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form
      {...form}
      aria-labelledby="recover-title"
      className="mb-6 space-y-3 rounded-lg border border-line bg-surface p-5"
    >
      <h3 className="font-medium" id="recover-title">
        {t('title')}
      </h3>
      <FormProblem problem={problem} />
      <div className="flex flex-wrap items-end gap-4">
        <Field error={fieldErrors.from} id="recover-from" label={t('from')} required>
          {(control) => <Input {...control} name="from" type="datetime-local" />}
        </Field>
        <Field error={fieldErrors.to} id="recover-to" label={t('to')} required>
          {(control) => <Input {...control} name="to" type="datetime-local" />}
        </Field>
        <Button pending={pending} type="submit">
          {t('send')}
        </Button>
      </div>
    </form>
  );
}

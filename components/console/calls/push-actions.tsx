'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

/** Resends all undelivered pushes of a period. The period is in the reader's time zone, as in the list. */
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

/** Resends one undelivered push. */
export function ResendPush({ id, url }: { id: string; url: string }): ReactNode {
  const t = useTranslations('console.resendPush');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function resend(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/push/dead-letters/${id}/resend`);
    setPending(false);
    if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
    const { taken, httpStatus } = response.body as { taken: boolean; httpStatus?: number | null };
    const refusal = httpStatus ? t('refused', { status: String(httpStatus) }) : t('noAnswer');
    toast(taken ? { tone: 'good', text: t('taken') } : { tone: 'danger', text: refusal });
    router.refresh();
  }

  return (
    <Button aria-label={t('sendTo', { url })} onClick={() => void resend()} pending={pending} size="sm">
      {t('send')}
    </Button>
  );
}

'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { NotificationPreference } from '@/lib/identity/schema-views';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox } from '../../forms/inputs';
import { useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { toast } from '../../ui/overlays/toast';

export interface NotificationFormProps {
  choices: NotificationPreference[];
}

/** The choice of emails to the user. Mandatory ones are checked and disabled. */
export function NotificationForm({ choices }: NotificationFormProps): ReactNode {
  const t = useTranslations('account.noticeForm');
  const tNotices = useTranslations('account.notices');
  const open = choices.filter(({ fixed }) => !fixed);
  const { form, pending, problem } = useForm({
    method: 'PUT',
    path: '/api/notifications',
    toBody: (fields) => Object.fromEntries(open.map(({ kind }) => [kind, kind in fields])),
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-2xl space-y-5">
      <FormProblem problem={problem} />
      <Card>
        <fieldset className="divide-y divide-line">
          <legend className="sr-only">{t('legend')}</legend>
          {choices.map(({ kind, wanted, fixed }) => (
            <Checkbox
              className="px-5 py-3"
              defaultChecked={wanted}
              disabled={fixed}
              hint={fixed ? t('alwaysCome', { hint: tNotices(`${kind}.hint`) }) : tNotices(`${kind}.hint`)}
              key={kind}
              label={tNotices(`${kind}.label`)}
              name={fixed ? undefined : kind}
            />
          ))}
        </fieldset>
      </Card>
      <Button pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

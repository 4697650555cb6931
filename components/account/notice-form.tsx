'use client';

import type { ReactNode } from 'react';
import type { NoticeChoice } from '@/lib/identity/schema';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Checkbox } from '../ui/checkbox';
import { toast } from '../ui/toast';
import { FormProblem } from './form-problem';
import { noticeTexts } from './notice-texts';
import { useForm } from './use-form';

export interface NoticeFormProps {
  choices: NoticeChoice[];
}

/** Which kinds of mail a person wants; those that must come are shown, checked and closed. */
export function NoticeForm({ choices }: NoticeFormProps): ReactNode {
  const open = choices.filter(({ fixed }) => !fixed);
  const { form, pending, problem } = useForm({
    method: 'PUT',
    path: '/api/notifications',
    toBody: (fields) => Object.fromEntries(open.map(({ kind }) => [kind, kind in fields])),
    onDone() {
      toast({ tone: 'good', text: 'Your choice is saved.' });
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-2xl space-y-5">
      <FormProblem problem={problem} />
      <Card>
        <fieldset className="divide-y divide-line">
          <legend className="sr-only">Mails that you want</legend>
          {choices.map(({ kind, wanted, fixed }) => (
            <Checkbox
              className="px-5 py-3"
              defaultChecked={wanted}
              disabled={fixed}
              hint={fixed ? `${noticeTexts[kind].hint} These always come.` : noticeTexts[kind].hint}
              key={kind}
              label={noticeTexts[kind].label}
              name={fixed ? undefined : kind}
            />
          ))}
        </fieldset>
      </Card>
      <Button pending={pending} tone="primary" type="submit">
        Save
      </Button>
    </form>
  );
}

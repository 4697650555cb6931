'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_NAME_LENGTH } from '@/lib/tokens/limits';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { type FieldErrors, useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { NewSecret } from './new-secret';

/** Creates a developer app and shows its secret once. */
export function AppForm(): ReactNode {
  const t = useTranslations('console.appForm');
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/apps',
    check: (fields): FieldErrors => (fields.name?.trim() ? {} : { name: t('nameMissing') }),
    onDone(body, sent) {
      setMade(body as NewClientSecret);
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="space-y-6">
      {made ? <NewSecret app={made} key={made.id} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.name} hint={t('nameHint')} id="name" label={t('name')} required>
          {(control) => <Input {...control} autoComplete="off" maxLength={MAX_NAME_LENGTH} name="name" />}
        </Field>
        <Button pending={pending} tone="primary" type="submit">
          {t('create')}
        </Button>
      </form>
    </div>
  );
}

'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import type { PasskeyView } from '@/lib/identity/schema-views';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { type FieldErrors, useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';

export interface RenamePasskeyProps {
  passkey: PasskeyView;
  onDone: () => void;
  onClose: () => void;
}

/** A field that replaces the buttons that opened it; it takes their focus. */
export function RenamePasskey({ passkey, onDone, onClose }: RenamePasskeyProps): ReactNode {
  const t = useTranslations('payments.renamePasskey');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/auth/passkeys/${encodeURIComponent(passkey.id)}`,
    check: ({ name }): FieldErrors => (name?.trim() ? {} : { name: t('nameMissing') }),
    onDone() {
      onDone();
      return 'staying';
    },
  });
  return (
    <form {...form} className="flex flex-wrap items-end gap-2">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.name} id={`name-${passkey.id}`} label={t('name')} required>
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={passkey.name} maxLength={100} name="name" ref={field} />
        )}
      </Field>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button pending={pending} tone="primary" type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

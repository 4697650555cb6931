'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { PasskeyView } from '@/lib/identity/schema-views';
import { createPasskey } from '../../forms/ask-passkey';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { Reauthenticate } from '../../forms/reauthenticate';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { paymentSettings } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { EmptyNote } from '../../ui/display/empty-note';
import { useFormat } from '../../ui/display/format';
import { toast } from '../../ui/overlays/toast';

/** Creates a passkey on this device and enrolls it, which an earlier one confirms. */
export function NewPasskey({ hasPasskey }: { hasPasskey: boolean }): ReactNode {
  const t = useTranslations('payments.newPasskey');
  const tRefused = useTranslations('payments.askPasskey');
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function enroll(form: HTMLFormElement): Promise<void> {
    const name = String(new FormData(form).get('name')).trim() || t('defaultName');
    setPending(true);
    setProblem(null);
    const fault = await enrolAs(name, tRefused);
    setPending(false);
    setProblem(fault);
    if (fault !== null) return;
    form.reset();
    toast({ tone: 'good', text: t('enrolled', { name }) });
    router.refresh();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!pending) void enroll(event.currentTarget);
  }

  return (
    <form className="max-w-lg space-y-4" onSubmit={onSubmit}>
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={paymentSettings('passkeys')} what="addPasskey" />
      ) : (
        <FormProblem problem={problem} />
      )}
      {hasPasskey ? <p className="text-sm text-muted">{t('confirmHint')}</p> : null}
      <Field hint={t('nameHint')} id="passkey-name" label={t('name')}>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" />}
      </Field>
      <Button pending={pending} type="submit">
        {t('add')}
      </Button>
    </form>
  );
}

type ErrorTexts = ReturnType<typeof useTranslations<'payments.askPasskey'>>;

/** Enrolls a passkey. Returns null on success, otherwise the reason. */
async function enrolAs(name: string, t: ErrorTexts): Promise<ApiProblem | null> {
  const asked = await callApi('POST', '/api/auth/passkeys/options', {});
  if (!asked.ok) return asked.problem;
  const answer = await createPasskey(asked.body as Record<string, unknown>);
  if (!answer.ok) return { title: t(answer.reason), code: 'passkey_not_made', faults: [] };
  const response = await callApi('POST', '/api/auth/passkeys', { name, credential: answer.made });
  return response.ok ? null : response.problem;
}

/** The user's passkeys, each with a way to rename and remove it. */
export function PasskeyList({ passkeys }: { passkeys: PasskeyView[] }): ReactNode {
  const t = useTranslations('payments.passkeyList');
  if (passkeys.length === 0) {
    return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    </Card>
  );
}

function PasskeyRow({ passkey }: { passkey: PasskeyView }): ReactNode {
  const t = useTranslations('payments.passkeyList');
  const format = useFormat();
  const router = useRouter();
  const [renaming, setRenaming] = useState(false);
  const { id, name, createdAt, lastUsedAt } = passkey;

  function changed(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="mt-1 text-sm text-muted">
          {lastUsedAt
            ? t.rich('used', {
                addedOn: format.date(createdAt),
                added: (chunks) => <time dateTime={createdAt}>{chunks}</time>,
                usedOn: format.date(lastUsedAt),
                used: (chunks) => <time dateTime={lastUsedAt}>{chunks}</time>,
              })
            : t.rich('neverUsed', {
                addedOn: format.date(createdAt),
                added: (chunks) => <time dateTime={createdAt}>{chunks}</time>,
              })}
        </p>
      </div>
      {renaming ? (
        <RenamePasskey
          onClose={() => setRenaming(false)}
          onDone={() => {
            setRenaming(false);
            changed(t('renamed'));
          }}
          passkey={passkey}
        />
      ) : (
        <span className="flex flex-wrap gap-2">
          <Button aria-label={t('renameWhat', { name })} onClick={() => setRenaming(true)}>
            {t('rename')}
          </Button>
          <ConfirmDialog
            action={t('removePasskey')}
            onDone={() => changed(t('removed', { name }))}
            path={`/api/auth/passkeys/${encodeURIComponent(id)}`}
            title={t('removeTitle', { name })}
            trigger={<Button aria-label={t('removeWhat', { name })}>{t('remove')}</Button>}
          >
            {t('removeHint')}
          </ConfirmDialog>
        </span>
      )}
    </li>
  );
}

interface RenamePasskeyProps {
  passkey: PasskeyView;
  onDone: () => void;
  onClose: () => void;
}

/** A field that replaces the buttons that opened it and receives their focus. */
function RenamePasskey({ passkey, onDone, onClose }: RenamePasskeyProps): ReactNode {
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

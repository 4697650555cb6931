'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { Reauthenticate } from '../../forms/reauthenticate';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { settingsRoutes } from '../../settings-routes';
import { Button } from '../../ui/controls/button';
import { clearSessionItems } from '../../ui/controls/session-storage';
import { Card, ConsoleSection } from '../../ui/display/card';
import { DownloadIcon } from '../../ui/display/icons';

/** All data stored about the user, as a file. */
export function ExportData({ hasPasskey }: { hasPasskey: boolean }): ReactNode {
  const t = useTranslations('account.exportData');
  return (
    <ConsoleSection id="export" lead={t('lead')} title={t('title')}>
      {hasPasskey ? (
        <ConfirmedExport />
      ) : (
        // A plain form, so that the browser saves the file while it is streamed.
        <form action="/api/account/export" method="post">
          <Button icon={<DownloadIcon size={16} />} type="submit">
            {t('submit')}
          </Button>
        </form>
      )}
    </ConsoleSection>
  );
}

/** The same export, confirmed by a passkey, which requires JavaScript. */
function ConfirmedExport(): ReactNode {
  const t = useTranslations('account.exportData');
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function run(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('POST', '/api/account/export', {});
    setPending(false);
    if (response.ok) saveFile(response.body);
    else setProblem(response.problem);
  }

  return (
    <div className="space-y-3">
      <FormProblem problem={problem} />
      <Button icon={<DownloadIcon size={16} />} onClick={() => void run()} pending={pending}>
        {t('submit')}
      </Button>
      <p className="text-sm text-muted">{t('passkeyHint')}</p>
    </div>
  );
}

function saveFile(data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `parley-account-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

interface DeleteAccountProps {
  email: string;
  /** False for users of a sign-in provider, who confirm with a recent sign-in and their email address. */
  hasPassword: boolean;
}

/**
 * Deletes the account permanently. States the data that is deleted and the data that remains, and asks for text that
 * only its owner would type.
 */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps): ReactNode {
  const t = useTranslations('account.deleteAccount');
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/account/deletion',
    check(fields) {
      const fieldErrors: FieldErrors = {};
      if (fields.email?.trim().toLowerCase() !== email) fieldErrors.email = t('emailWrong', { email });
      if (hasPassword && !fields.password) fieldErrors.password = t('passwordMissing');
      return fieldErrors;
    },
    onDone() {
      clearSessionItems();
      window.location.assign('/');
      return 'leaving';
    },
  });
  return (
    <ConsoleSection id="delete" lead={t('lead')} title={t('title')}>
      <Card className="max-w-2xl p-5">
        <form {...form} className="space-y-5">
          {problem?.code === 'sign_in_again' ? (
            <Reauthenticate returnTo={settingsRoutes.ownData} what="deleteAccount" />
          ) : (
            <FormProblem problem={problem} />
          )}
          <Field
            error={fieldErrors.email}
            hint={t.rich('emailHint', {
              email,
              address: (chunks) => <span className="font-mono break-all text-ink">{chunks}</span>,
            })}
            id="email"
            label={t('email')}
            required
          >
            {(control) => <Input {...control} autoComplete="off" name="email" type="email" />}
          </Field>
          {hasPassword ? (
            <PasswordField autoComplete="current-password" error={fieldErrors.password} label={t('password')} />
          ) : null}
          <Button pending={pending} tone="danger" type="submit">
            {t('submit')}
          </Button>
        </form>
      </Card>
    </ConsoleSection>
  );
}

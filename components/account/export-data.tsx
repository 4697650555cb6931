'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type ApiProblem, callApi } from '../forms/call-api';
import { FormProblem } from '../forms/form-problem';
import { Button } from '../ui/controls/button';
import { DownloadIcon } from '../ui/display/icons';

/** All data stored about the user, as a file. */
export function ExportData({ hasPasskey }: { hasPasskey: boolean }): ReactNode {
  const t = useTranslations('account.exportData');
  return (
    <section aria-labelledby="export-title" className="space-y-3">
      <h2 className="text-lg font-semibold" id="export-title">
        {t('title')}
      </h2>
      <p className="text-muted">{t('lead')}</p>
      {hasPasskey ? (
        <ConfirmedExport />
      ) : (
        // A plain form, so that the browser saves the file while it streams.
        <form action="/api/account/export" method="post">
          <Button icon={<DownloadIcon size={16} />} type="submit">
            {t('submit')}
          </Button>
        </form>
      )}
    </section>
  );
}

/** The same with a passkey, which only a script can ask for. */
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

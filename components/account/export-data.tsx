import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { DownloadIcon } from '../ui/icons';

/** All data stored about the user, as a file; a plain form, so that the browser saves it while it streams. */
export function ExportData(): ReactNode {
  const t = useTranslations('account.exportData');
  return (
    <section aria-labelledby="export-title" className="space-y-3">
      <h2 className="text-lg font-semibold" id="export-title">
        {t('title')}
      </h2>
      <p className="text-muted">{t('lead')}</p>
      <form action="/api/account/export" method="post">
        <Button icon={<DownloadIcon size={16} />} type="submit">
          {t('submit')}
        </Button>
      </form>
    </section>
  );
}

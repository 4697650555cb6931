import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { buttonClass } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { CodeBlock } from '../ui/display/code-block';
import { DownloadIcon } from '../ui/display/icons';

/** An app's credentials, shown the only time the secret is known. */
export function NewSecret({ app }: { app: NewClientSecret }): ReactNode {
  const t = useTranslations('console.newSecret');
  const { clientId, clientSecret } = app;
  const lines = `PARLEY_CLIENT_ID=${clientId}\nPARLEY_CLIENT_SECRET=${clientSecret}\n`;
  return (
    <div className="max-w-2xl space-y-3">
      <Alert live="polite" title={t('title')} tone="warn">
        {t('text')}
      </Alert>
      <CodeBlock code={clientId} label={t('clientId')} wrap />
      <CodeBlock
        actions={
          <a
            aria-label={t('downloadBoth')}
            className={buttonClass({ tone: 'quiet', size: 'sm' })}
            download="parley.env"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines)}`}
          >
            <DownloadIcon size={16} />
            {t('download')}
          </a>
        }
        code={clientSecret}
        label={t('clientSecret')}
        wrap
      />
    </div>
  );
}

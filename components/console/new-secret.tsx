import type { ReactNode } from 'react';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { Alert } from '../ui/alert';
import { buttonClass } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { DownloadIcon } from '../ui/icons';

/** Credentials of an app, shown the one time that the secret is known. */
export function NewSecret({ app }: { app: NewClientSecret }): ReactNode {
  const { clientId, clientSecret } = app;
  const lines = `PARLEY_CLIENT_ID=${clientId}\nPARLEY_CLIENT_SECRET=${clientSecret}\n`;
  return (
    <div className="max-w-2xl space-y-3">
      <Alert live="polite" title="Copy the secret now" tone="warn">
        It is shown only this once. Give both to your agent; it asks Parley with them who is calling.
      </Alert>
      <CodeBlock code={clientId} label="client id" />
      <CodeBlock
        actions={
          <a
            aria-label="Download both as a file of variables"
            className={buttonClass({ tone: 'quiet', size: 'sm' })}
            download="parley.env"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines)}`}
          >
            <DownloadIcon size={16} />
            Download
          </a>
        }
        code={clientSecret}
        label="client secret"
      />
    </div>
  );
}

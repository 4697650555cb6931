import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { CodeBlock } from '../ui/code-block';

/** Credentials of an app, shown the one time that the secret is known. */
export function NewSecret({ clientId, clientSecret }: { clientId: string; clientSecret: string }): ReactNode {
  return (
    <div className="max-w-2xl space-y-3">
      <Alert live="polite" title="Copy the secret now" tone="warn">
        It is shown only this once. Give both to your agent; it asks Parley with them who is calling.
      </Alert>
      <CodeBlock code={clientId} label="the client id" />
      <CodeBlock code={clientSecret} label="the client secret" />
    </div>
  );
}
